import type { AddedMember } from '@watchpost/contract'
import type { Verb } from '../../../command.ts'
import { addedMemberView, memberView } from '../../../format/members.ts'
import { createVerb } from '../../../verbs/create.ts'
import { deleteVerb } from '../../../verbs/delete.ts'
import { listVerb } from '../../../verbs/list.ts'
import { updateVerb } from '../../../verbs/update.ts'

const listMembers = listVerb({
  route: 'listMembers',
  view: memberView,
  summary: 'List members',
  examples: ['team members list', 'team members list --role owner'],
})

const addMember = createVerb<AddedMember>({
  name: 'add',
  route: 'addMember',
  view: addedMemberView,
  secret: 'token',
  summary: 'Add a member, or invite one with a link, shown once',
  examples: ['team members add --email ada@example.com --role admin'],
})

const updateMember = updateVerb({
  route: 'updateMember',
  view: memberView,
  summary: "Change a member's role",
  examples: ['team members update 3 --role viewer'],
})

const removeMember = deleteVerb({
  name: 'remove',
  route: 'removeMember',
  view: memberView,
  takesAlong: ' from the team',
  summary: 'Remove a member, whose log-ins and tokens are refused at once',
  examples: ['team members remove 3', 'team members remove 3 --yes'],
})

export const verbs: Verb[] = [listMembers, addMember, updateMember, removeMember]
