import { ApiError } from '@watchpost/contract'
import { type AppOfKey, appByToken } from '@watchpost/store'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { whoAsks } from '../http/admit.ts'
import { createApp } from '../http/app.ts'
import { requireHost } from '../http/host.ts'
import type { Count } from '../http/rate-limit.ts'
import type { RouteConfig } from '../http/route-config.ts'
import { refuseTelemetry } from '../ingest/refuse-telemetry.ts'
import { hashToken } from '../secrets.ts'

/** Telemetry of backends (specification 4.6). */
export const otlpPaths = {
  sendTraces: { method: 'POST', path: '/v1/traces' },
  sendLogs: { method: 'POST', path: '/v1/logs' },
  sendMetrics: { method: 'POST', path: '/v1/metrics' },
} as const

/** A server for telemetry alone. Its address is the surface's own, so no host name is asked for, and nothing counted. */
export function createOtlpApp(context: Context): FastifyInstance {
  const app = createApp(context.log, otlpPaths)
  app.decorateRequest('caller', null)
  register(app, authenticateApp(context), () => undefined)
  return app
}

/** The same paths on the main address. */
export function registerOtlp(app: FastifyInstance, context: Context, refused: Count<void>): void {
  const authenticate = authenticateApp(context)
  const ask = async (request: FastifyRequest) => {
    requireHost(request, context.config.hosts, 'otlp', request.url)
    return authenticate(request)
  }
  register(app, ask, refused)
}

function register(
  app: FastifyInstance,
  authenticate: (request: FastifyRequest) => Promise<AppOfKey>,
  refused: Count<void>,
): void {
  const config: RouteConfig = { corsHeaders: ['X-App-Token'], challenge: 'App-Token' }
  for (const { path } of Object.values(otlpPaths)) {
    app.options(path, { config }, async () => undefined)
    app.post(
      path,
      {
        config,
        // Before the body is read, of whatever type it is.
        async onRequest(request, reply) {
          request.setDecorator('caller', await whoAsks(request, reply, authenticate, refused))
          await refuseTelemetry()
        },
      },
      async () => undefined,
    )
  }
}

/** The surface's credential is an app token in `X-App-Token`, there once; read anew each time, so rotated is refused. */
const authenticateApp =
  (context: Context) =>
  async (request: FastifyRequest): Promise<AppOfKey> => {
    const [token, ...more] = request.raw.headersDistinct['x-app-token'] ?? []
    const hash = token === undefined || more.length > 0 ? undefined : hashToken(token)
    const app = hash === undefined ? undefined : await context.db.one(appByToken, { hash })
    if (app === undefined) throw new ApiError('unauthorized', 'Unauthorized')
    return app
  }
