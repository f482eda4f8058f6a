import Type from 'typebox'
import { route } from '../route.ts'
import { StatusPagePatch } from '../schema/status-page.ts'

/** What a page would look like: for whoever edits it, and for those who may read it though nobody can open it yet. */
export const previewRoutes = {
  previewStatusPage: route({
    method: 'POST',
    path: '/v1/status-pages/{id}/preview',
    surface: 'user',
    role: 'viewer',
    summary: 'Draw a status page with other settings',
    description: 'The page for people as it would be with these fields, be it public or not. Nothing is saved.',
    body: StatusPagePatch,
    produces: 'text/html',
    envelope: 'bare',
    reply: Type.String(),
    changesNothing: true,
  }),
}
