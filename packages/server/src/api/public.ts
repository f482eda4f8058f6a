import { randomBytes } from 'node:crypto'
import { ApiError, type publicRoutes } from '@watchpost/contract'
import { contentSecurityPolicy, renderStatusPage } from '@watchpost/status-page'
import type { Handlers } from '../http/handler.ts'
import { pathId } from './ids.ts'
import { readUptime } from './public-uptime.ts'
import type { PublishedPages } from './published-status.ts'

export function publicHandlers(pages: PublishedPages): Handlers<typeof publicRoutes> {
  return {
    getStatus: async ({ params, context }) => (await pages.get(context, params.slug)).prepared,
    getStatusAlias: async ({ params, context }) => (await pages.get(context, params.slug)).prepared,
    async getUptime({ params, context }) {
      const id = pathId(params.id)
      const found = id === undefined ? undefined : await readUptime(context, id)
      if (found === undefined) throw new ApiError('not_found', 'Not found')
      return found
    },
    async viewStatus({ params, context }) {
      const page = await (await pages.get(context, params.slug)).shown()
      const nonce = randomBytes(16).toString('base64url')
      const now = new Date(context.now())
      return {
        body: renderStatusPage(page, { now, nonce, refreshUrl: `/status/${page.slug}` }),
        headers: { 'content-security-policy': contentSecurityPolicy(nonce), 'x-content-type-options': 'nosniff' },
      }
    },
  }
}
