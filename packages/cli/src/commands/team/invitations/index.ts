import type { Verb } from '../../../command.ts'
import { invitationView } from '../../../format/members.ts'
import { deleteVerb } from '../../../verbs/delete.ts'
import { listVerb } from '../../../verbs/list.ts'

const listInvitations = listVerb({
  route: 'listInvitations',
  view: invitationView,
  summary: 'List invitations that nobody has accepted yet',
  examples: ['team invitations list'],
})

const revokeInvitation = deleteVerb({
  name: 'revoke',
  route: 'revokeInvitation',
  view: invitationView,
  // A link that went to the wrong person is revoked in a hurry.
  asks: false,
  summary: 'Revoke an invitation',
  examples: ['team invitations revoke 2'],
})

export const verbs: Verb[] = [listInvitations, revokeInvitation]
