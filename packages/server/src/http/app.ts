import { ApiError, errorBody, type Route } from '@watchpost/contract'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import { allowOrigin } from './cors.ts'
import { requestId } from './request-id.ts'
import { configOf } from './route-config.ts'

/** Which methods each path has, so that others can be refused by name. */
export type Paths = Record<string, Pick<Route, 'method' | 'path'>>

/** Largest JSON body of the general API (ruling 3). */
const bodyLimit = 1_048_576

/** A server without routes: limits, request ids, CORS, and every error in the one shape. */
export function createApp(log: Logger, table: Paths): FastifyInstance {
  const app = Fastify({
    // Without Fastify's own "listening" lines: they come before the server is ready, and scripts wait for that word.
    loggerInstance: log.child({}, { level: log.isLevelEnabled('info') ? 'warn' : log.level }) as FastifyBaseLogger,
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    bodyLimit,
    requestTimeout: 60_000,
    keepAliveTimeout: 65_000,
    // Idle keep-alive connections must not hold up a shutdown.
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    // An address that cannot be read is that of nothing.
    frameworkErrors: (_error, request, reply) => {
      allowOrigin(request, reply, '*')
      sendError(reply, new ApiError('not_found', 'Not found'))
    },
    genReqId: request => requestId(request.headers['x-request-id']),
  })
  // The body stays bytes: it is parsed after 401, 404 and 403 have been judged.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const coded = request.headers['content-encoding'] ?? 'identity'
    if (coded === 'identity') return done(null, body)
    done(new ApiError('unsupported_media_type', `Send the body as it is, not as ${coded}`))
  })

  // What every request passes waits for nothing: no promise for it.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (configOf(request).cors === 'own') return done()
    allowOrigin(request, reply, '*')
    if (request.method === 'OPTIONS') reply.status(204).send()
    else done()
  })
  app.options('/*', async () => undefined)
  app.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    const known = asApiError(error, request)
    return isForPeople(request) ? sendErrorPage(reply, known) : sendError(reply, known)
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url.split('?', 1)[0] as string, table)
    if (allowed.length === 0) return sendError(reply, new ApiError('not_found', 'Not found'))
    reply.header('allow', allowed.join(', '))
    return sendError(reply, new ApiError('method_not_allowed', `${request.method} is not one of ${allowed.join(', ')}`))
  })
  return app
}

export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', configOf(reply.request).challenge ?? 'Bearer')
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  return reply.status(error.status).type('application/json; charset=utf-8').send(errorBody(error))
}

/** Whether the route answers a page: whoever follows a dead link to one is a person, not a program. */
function isForPeople(request: FastifyRequest): boolean {
  return configOf(request).produces === 'text/html'
}

function sendErrorPage(reply: FastifyReply, error: ApiError): FastifyReply {
  reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'")
  return reply
    .status(error.status)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${error.status}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { display: grid; place-content: center; min-height: 90vh; margin: 0 1.5rem; text-align: center }
</style>
<h1>${error.status}</h1>
<p>${error.message.replace(/[&<>]/g, '')}.</p>
</html>
`)
}

export function asApiError(error: FastifyError | ApiError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError('payload_too_large', `The body is larger than ${bodyLimit} bytes`)
  }
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ApiError('unsupported_media_type', 'Send the body as application/json')
  }
  if (error.statusCode !== undefined && error.statusCode < 500) return new ApiError('bad_request', error.message)
  request.log.error({ err: error, method: request.method, url: request.url }, 'request failed')
  return new ApiError('internal_error', 'The server failed; its log has the reason under this request id')
}

/** Methods a path has in the contract; empty where there is no such path. */
function methodsOf(path: string, table: Paths): string[] {
  const methods = Object.values(table)
    .filter(entry => new RegExp(`^${entry.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map(entry => entry.method)
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods
}
