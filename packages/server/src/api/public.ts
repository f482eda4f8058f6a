import { randomBytes } from 'node:crypto'
import { ApiError, type publicRoutes, type StatusPayload } from '@watchpost/contract'
import { contentSecurityPolicy, renderStatusPage } from '@watchpost/status-page'
import type { Context } from '../context.ts'
import type { Handlers } from '../http/handler.ts'
import { pathId } from './ids.ts'
import { readUptime } from './public-uptime.ts'
import { readStatus } from './status-payload.ts'

export function publicHandlers(): Handlers<typeof publicRoutes> {
  const published = publishedStatus()
  return {
    getStatus: ({ params, context }) => published(context, params.slug),
    getStatusAlias: ({ params, context }) => published(context, params.slug),
    async getUptime({ params, context }) {
      const id = pathId(params.id)
      const found = id === undefined ? undefined : await readUptime(context, id)
      if (found === undefined) throw new ApiError('not_found', 'Not found')
      return found
    },
    async viewStatus({ params, context }) {
      const payload = await published(context, params.slug)
      const nonce = randomBytes(16).toString('base64url')
      const now = new Date(context.now())
      return {
        body: renderStatusPage(payload, { now, nonce, refreshUrl: `/status/${payload.slug}` }),
        headers: { 'content-security-policy': contentSecurityPolicy(nonce), 'x-content-type-options': 'nosniff' },
      }
    },
  }
}

/** Milliseconds a payload is shown without being computed anew: a page under load costs one computation a second. */
const freshForMs = 1000

function publishedStatus() {
  const kept = new Map<string, { at: number; payload: Promise<StatusPayload | undefined> }>()
  return async (context: Context, slug: string): Promise<StatusPayload> => {
    const now = context.now()
    const key = slug.toLowerCase()
    let entry = kept.get(key)
    if (entry === undefined || now - entry.at >= freshForMs) {
      // In the order of their making, so the first that is fresh ends the walk.
      for (const [old, { at }] of kept) {
        if (now - at < freshForMs) break
        kept.delete(old)
      }
      entry = { at: now, payload: readStatus(context, key) }
      kept.delete(key)
      kept.set(key, entry)
    }
    const payload = await entry.payload
    if (payload === undefined) throw new ApiError('not_found', 'There is no such status page')
    return payload
  }
}
