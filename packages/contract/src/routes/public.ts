import Type from 'typebox'
import { route } from '../route.ts'
import { MonitorUptime } from '../schema/monitor.ts'
import { StatusPayload } from '../schema/status-page.ts'
import { StatusSummary, StatusWord } from '../schema/summary.ts'

const summary = 'Published state of a public status page'
const description = '404 for an unknown or private page.'

const feed = { method: 'GET', surface: 'public', description, envelope: 'bare', reply: Type.String() } as const

const summaryRoute = {
  method: 'GET',
  surface: 'public',
  description: 'In the shape of Statuspage.io, version 2.',
  envelope: 'bare',
} as const

const badge = {
  ...feed,
  produces: 'image/svg+xml',
  query: Type.Object(
    {
      monitor: Type.Optional(
        Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Of one monitor on the page.' }),
      ),
      label: Type.Optional(Type.String({ maxLength: 60, description: 'Left half, in place of the usual word.' })),
    },
    { additionalProperties: false },
  ),
} as const

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
  viewHistory: route({
    method: 'GET',
    path: '/status/{slug}/history',
    surface: 'public',
    summary: 'All incidents of a status page, for people',
    description:
      'The latest first, in parts; 404 for an unknown or private page, and for a part that it does not have.',
    query: Type.Object({
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'Which part, from 1.' })),
    }),
    produces: 'text/html',
    envelope: 'bare',
    reply: Type.String(),
  }),
  statusRss: route({
    ...feed,
    path: '/status/{slug}/feed.rss',
    summary: 'Incidents and maintenance as RSS',
    produces: 'application/rss+xml',
  }),
  statusAtom: route({
    ...feed,
    path: '/status/{slug}/feed.atom',
    summary: 'Incidents and maintenance as Atom',
    produces: 'application/atom+xml',
  }),
  statusJsonFeed: route({
    ...feed,
    path: '/status/{slug}/feed.json',
    summary: 'Incidents and maintenance as JSON Feed',
    produces: 'application/feed+json',
  }),
  statusBadge: route({ ...badge, path: '/status/{slug}/badge/status.svg', summary: 'How it stands, as a badge' }),
  uptimeBadge: route({ ...badge, path: '/status/{slug}/badge/uptime.svg', summary: 'The uptime, as a badge' }),
  statusWidget: route({
    ...feed,
    path: '/status/{slug}/widget',
    summary: 'How it stands, to be shown in a frame by other sites',
    produces: 'text/html',
  }),
  statusCard: route({
    ...feed,
    path: '/status/{slug}/card.svg',
    summary: 'How it stands, as a picture for links to it',
    produces: 'image/svg+xml',
  }),
  statusCardPicture: route({
    ...feed,
    path: '/status/{slug}/card.png',
    summary: 'How it stands, as a picture without words',
    produces: 'image/png',
  }),
  statusLogo: route({
    ...feed,
    path: '/status/{slug}/logo',
    summary: 'The logo of a page',
    description: '404 where it has none.',
    produces: 'image/*',
  }),
  statusSummary: route({
    ...summaryRoute,
    path: '/status/{slug}/api/v2/summary.json',
    summary: 'The page as pollers of other makers read it',
    reply: StatusSummary,
  }),
  statusSummaryAlias: route({
    ...summaryRoute,
    path: '/status/{slug}/summary.json',
    summary: 'The page as pollers of other makers read it (alias)',
    reply: StatusSummary,
  }),
  statusWord: route({
    ...summaryRoute,
    path: '/status/{slug}/api/v2/status.json',
    summary: 'The one word on the page, as pollers of other makers read it',
    reply: StatusWord,
  }),
}
