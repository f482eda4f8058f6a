import Type from 'typebox'
import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { AddedMember, Member, MemberPatch, MemberWrite } from '../schema/member.ts'

export const memberRoutes = {
  listMembers: route({
    method: 'GET',
    path: '/v1/team/members',
    surface: 'user',
    role: 'viewer',
    summary: 'List members',
    query: listQuery(Member),
    envelope: 'list',
    reply: Member,
  }),
  addMember: route({
    method: 'POST',
    path: '/v1/team/members',
    surface: 'user',
    role: 'admin',
    summary: 'Add a member, or invite one',
    description:
      'Without a password an invitation is made, good once and for seven days; its text is in this answer and never ' +
      'shown again. Inviting somebody a second time makes the first invitation void.',
    body: MemberWrite,
    envelope: 'created',
    reply: AddedMember,
    message: 'Member added',
  }),
  updateMember: route({
    method: 'PATCH',
    path: '/v1/team/members/{id}',
    surface: 'user',
    role: 'admin',
    summary: "Change a member's role",
    description: 'Only an owner makes or unmakes owners, and the last owner stays one.',
    body: MemberPatch,
    envelope: 'updated',
    reply: Member,
    message: 'Role changed',
  }),
  removeMember: route({
    method: 'DELETE',
    path: '/v1/team/members/{id}',
    surface: 'user',
    role: 'viewer',
    summary: 'Remove a member, or leave',
    description:
      "Ends the member's log-ins in this team at once, and their tokens are refused from then on. Removing others needs " +
      'admin or above; whoever is logged in may leave.',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Member removed',
  }),
}
