import Type from 'typebox'
import { route } from '../route.ts'
import { MonitorUptime } from '../schema/monitor.ts'
import { StatusPayload } from '../schema/status-page.ts'

const summary = 'Published state of a public status page'
const description = '404 for an unknown or private page.'

/** Public endpoints (specification 4.5): no credential, bare answers. */
export const publicRoutes = {
  getStatus: route({
    method: 'GET',
    path: '/api/status/{slug}',
    surface: 'public',
    summary,
    description,
    envelope: 'bare',
    reply: StatusPayload,
  }),
  getStatusAlias: route({
    method: 'GET',
    path: '/v1/status/{slug}',
    surface: 'public',
    summary: `${summary} (alias)`,
    description,
    envelope: 'bare',
    reply: StatusPayload,
  }),
  getUptime: route({
    method: 'GET',
    path: '/api/monitors/{id}/uptime',
    surface: 'public',
    summary: 'Public uptime of a monitor',
    description: 'Only of active monitors on a public page; 404 for any other.',
    envelope: 'bare',
    reply: MonitorUptime,
  }),
  viewStatus: route({
    method: 'GET',
    path: '/status/{slug}',
    surface: 'public',
    summary: 'Status page for people',
    description,
    produces: 'text/html',
    envelope: 'bare',
    reply: Type.String(),
  }),
}
