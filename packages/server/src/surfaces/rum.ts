import { ApiError } from '@watchpost/contract'
import { type AppOfKey, appByKey } from '@watchpost/store'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { mayUse } from '../domain/origin.ts'
import { whoAsks } from '../http/admit.ts'
import { allowOrigin } from '../http/cors.ts'
import { requireHost } from '../http/host.ts'
import type { Count } from '../http/rate-limit.ts'
import type { RouteConfig } from '../http/route-config.ts'
import { refuseTelemetry } from '../ingest/refuse-telemetry.ts'
import { hashToken } from '../secrets.ts'

/** Telemetry of browsers (specification 4.7). */
export const rumPaths = { sendRum: { method: 'POST', path: '/v1/ingest' } } as const

const config: RouteConfig = { cors: 'own', challenge: 'Api-Key' }

/** The RUM surface: its credential is the key in the query, and only pages on the app's allow-list may use it. */
export function registerRum(app: FastifyInstance, context: Context, refused: Count<void>): void {
  const { path } = rumPaths.sendRum

  // A preflight carries no credential that could be judged, only the key whose allow-list answers it.
  app.options(path, {
    config,
    async onRequest(request, reply) {
      const app = await appOfKey(context, request)
      if (!answerOrigin(request, reply, app)) throw forbidden()
      return reply.status(204).send()
    },
    handler: async () => undefined,
  })

  app.post(path, {
    config,
    // Before the body is read, of whatever type it is.
    async onRequest(request, reply) {
      const app = await appOfKey(context, request)
      const mayRead = answerOrigin(request, reply, app)
      const authenticate = async () => {
        requireHost(request, context.config.hosts, 'rum', path)
        if (app === undefined) throw new ApiError('unauthorized', 'Unauthorized')
        return app
      }
      request.setDecorator('caller', await whoAsks(request, reply, authenticate, refused))
      if (!mayRead) throw forbidden()
      await refuseTelemetry()
    },
    handler: async () => undefined,
  })
}

/** The app whose key stands in the query, once; read anew each time, so that a rotated key is refused at once. */
async function appOfKey(context: Context, request: FastifyRequest): Promise<AppOfKey | undefined> {
  const { api_key } = request.query as { api_key?: unknown }
  return typeof api_key === 'string' ? context.db.one(appByKey, { hash: hashToken(api_key) }) : undefined
}

/**
 * Lets a page that may use the key read the answer (ruling 23, 30). Without an app there is no list to keep: any page
 * may read that it is unauthorized.
 * @returns whether it may
 */
function answerOrigin(request: FastifyRequest, reply: FastifyReply, app: AppOfKey | undefined): boolean {
  const allowed: string[] = app === undefined ? [] : JSON.parse(app.allowed_origins)
  const { origin } = request.headers
  reply.header('vary', 'Origin')
  const may = mayUse(allowed, origin)
  if (may) allowOrigin(request, reply, allowed.length === 0 ? '*' : (origin as string))
  return may
}

const forbidden = () => new ApiError('forbidden', 'The origin is not one that this app allows')
