import type { AddedMember, Invitation, Member } from '@watchpost/contract'
import type { View } from '../view.ts'
import { moment } from './time.ts'

export const memberView: View<Member> = {
  singular: 'member',
  plural: 'members',
  name: member => member.email,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    { title: 'E-MAIL', cell: ({ email }) => email, least: 16 },
    { title: 'ROLE', cell: ({ role }) => role },
    { title: 'SINCE', cell: member => moment(member.created_at), moment: true, optional: 1 },
  ],
}

export const addedMemberView: View<AddedMember> = {
  singular: 'member',
  plural: 'members',
  name: member => member.email,
  columns: [],
}

export const invitationView: View<Invitation> = {
  singular: 'invitation',
  plural: 'invitations',
  name: invitation => invitation.email,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    { title: 'E-MAIL', cell: ({ email }) => email, least: 16 },
    { title: 'ROLE', cell: ({ role }) => role },
    { title: 'EXPIRES', cell: invitation => moment(invitation.expires_at), moment: true },
  ],
}
