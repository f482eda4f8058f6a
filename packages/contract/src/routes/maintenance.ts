import Type from 'typebox'
import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { MaintenanceWindow, MaintenanceWindowPatch, MaintenanceWindowWrite } from '../schema/maintenance.ts'

/** Planned work (an extension of the specification). */
export const maintenanceRoutes = {
  listMaintenanceWindows: route({
    method: 'GET',
    path: '/v1/maintenance-windows',
    surface: 'user',
    role: 'viewer',
    summary: 'List maintenance windows',
    description: 'Latest start first, unless sorted otherwise. The status is the one at the moment of asking.',
    query: listQuery(MaintenanceWindow),
    envelope: 'list',
    reply: MaintenanceWindow,
  }),
  getMaintenanceWindow: route({
    method: 'GET',
    path: '/v1/maintenance-windows/{id}',
    surface: 'user',
    role: 'viewer',
    summary: 'Read a maintenance window',
    envelope: 'item',
    reply: MaintenanceWindow,
  }),
  createMaintenanceWindow: route({
    method: 'POST',
    path: '/v1/maintenance-windows',
    surface: 'user',
    role: 'member',
    summary: 'Plan maintenance',
    description:
      'While it lasts its monitors are checked as ever, but nobody is told of what the checks find, status pages show ' +
      'the maintenance, and uptime does not count it. What is still down at its end is told then.',
    body: MaintenanceWindowWrite,
    envelope: 'created',
    reply: MaintenanceWindow,
    message: 'Maintenance window created',
  }),
  replaceMaintenanceWindow: route({
    method: 'PUT',
    path: '/v1/maintenance-windows/{id}',
    surface: 'user',
    role: 'member',
    summary: 'Replace a maintenance window',
    description: 'Fields that are absent return to their defaults.',
    body: MaintenanceWindowWrite,
    envelope: 'updated',
    reply: MaintenanceWindow,
    message: 'Maintenance window updated',
  }),
  updateMaintenanceWindow: route({
    method: 'PATCH',
    path: '/v1/maintenance-windows/{id}',
    surface: 'user',
    role: 'member',
    summary: 'Change fields of a maintenance window',
    description: 'An ends_at that is not in the future ends it now, however short it was.',
    body: MaintenanceWindowPatch,
    envelope: 'updated',
    reply: MaintenanceWindow,
    message: 'Maintenance window updated',
  }),
  deleteMaintenanceWindow: route({
    method: 'DELETE',
    path: '/v1/maintenance-windows/{id}',
    surface: 'user',
    role: 'member',
    summary: 'Delete a maintenance window',
    description: 'One that is active ends with it.',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Maintenance window deleted',
  }),
}
