import Type from 'typebox'
import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { Invitation, InvitationAnswer, OpenInvitation } from '../schema/invitation.ts'
import { Session } from '../schema/session.ts'

export const invitationRoutes = {
  listInvitations: route({
    method: 'GET',
    path: '/v1/team/invitations',
    surface: 'user',
    role: 'admin',
    summary: 'List invitations that nobody has accepted yet',
    query: listQuery(Invitation),
    envelope: 'list',
    reply: Invitation,
  }),
  revokeInvitation: route({
    method: 'DELETE',
    path: '/v1/team/invitations/{id}',
    surface: 'user',
    role: 'admin',
    summary: 'Revoke an invitation',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Invitation revoked',
  }),
  getInvitation: route({
    method: 'GET',
    path: '/api/invitations/{token}',
    surface: 'invitation',
    summary: 'Read an invitation',
    envelope: 'item',
    reply: OpenInvitation,
  }),
  acceptInvitation: route({
    method: 'POST',
    path: '/api/invitations/{token}',
    surface: 'invitation',
    summary: 'Accept an invitation',
    description: 'Makes the account where there is none, and logs in. An invitation is good once.',
    body: InvitationAnswer,
    envelope: 'created',
    reply: Session,
    message: 'Joined',
  }),
}
