import { ApiError } from '@watchpost/contract'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { createApp } from '../http/app.ts'

/**
 * Telemetry ingestion (specification 4.6) takes an app token in `X-App-Token`. There are no observability apps yet, so
 * there is no token that could be right: every request is told so, and none is acknowledged and then lost.
 */
export function createOtlpApp(log: Logger): FastifyInstance {
  const app = createApp(log, {})
  for (const signal of ['traces', 'logs', 'metrics']) {
    app.post(`/v1/${signal}`, { preParsing: async () => Promise.reject(unauthorized()) }, async () => undefined)
  }
  return app
}

function unauthorized(): ApiError {
  return new ApiError('unauthorized', 'Unauthorized: no observability app has this token')
}
