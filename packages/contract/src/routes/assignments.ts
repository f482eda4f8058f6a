import Type from 'typebox'
import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { Assignment, AssignmentPatch, AssignmentWrite } from '../schema/status-page.ts'

/** Monitors on status pages (specification 2.2). */
export const assignmentRoutes = {
  listAssignments: route({
    method: 'GET',
    path: '/v1/status-pages/{id}/monitors',
    surface: 'user',
    role: 'viewer',
    summary: 'List the monitors on a status page',
    query: listQuery(Assignment),
    envelope: 'list',
    reply: Assignment,
  }),
  assignMonitor: route({
    method: 'POST',
    path: '/v1/status-pages/{id}/monitors',
    surface: 'user',
    role: 'member',
    scope: 'status-pages:write',
    summary: 'Put a monitor on a status page',
    description: 'A monitor that is on the page already takes the new settings.',
    body: AssignmentWrite,
    envelope: 'created',
    reply: Assignment,
    message: 'Monitor assigned',
  }),
  updateAssignment: route({
    method: 'PATCH',
    path: '/v1/status-pages/{id}/monitors/{monitor_id}',
    surface: 'user',
    role: 'member',
    scope: 'status-pages:write',
    summary: 'Change how a monitor is shown on a status page',
    body: AssignmentPatch,
    envelope: 'updated',
    reply: Assignment,
    message: 'Assignment updated',
  }),
  unassignMonitor: route({
    method: 'DELETE',
    path: '/v1/status-pages/{id}/monitors/{monitor_id}',
    surface: 'user',
    role: 'member',
    scope: 'status-pages:write',
    summary: 'Take a monitor off a status page',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Monitor unassigned',
  }),
}
