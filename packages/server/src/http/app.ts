import type { IncomingMessage } from 'node:http'
import { ApiError, errorBody, type Route } from '@watchpost/contract'
import { UnavailableError } from '@watchpost/store'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import { allowOrigin } from './cors.ts'
import { isAskedByPerson, sendErrorPage } from './error-page.ts'
import { requestId } from './request-id.ts'
import { configOf } from './route-config.ts'
import { storeAway } from './store-away.ts'

/** Which methods each path has, so that others can be refused by name. */
export type Paths = Record<string, Pick<Route, 'method' | 'path'>>

/** What is asked for under a host name that is a page's own, by the path that it has on every other. */
export type Rewrite = (host: string, url: string) => string

/** Largest JSON body of the general API (ruling 3). */
const bodyLimit = 1_048_576
const formLimit = 16_384

/** A server without routes: limits, request ids, CORS, and every error in the one shape. */
export function createApp(log: Logger, table: Paths, rewrite?: Rewrite): FastifyInstance {
  const app: FastifyInstance = Fastify({
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
      sendNotFound(app, request, reply)
    },
    ...(rewrite === undefined
      ? {}
      : { rewriteUrl: ({ headers, url = '/' }: IncomingMessage) => rewrite(headers.host ?? '', url) }),
    genReqId: request => requestId(request.headers['x-request-id']),
  })
  // The body stays bytes: it is parsed after 401, 404 and 403 have been judged.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const coded = request.headers['content-encoding'] ?? 'identity'
    if (coded === 'identity') return done(null, body)
    done(new ApiError('unsupported_media_type', `Send the body as it is, not as ${coded}`))
  })

  // What forms of pages send, and mailboxes that leave a list by one click; only where a route takes it.
  for (const media of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
    app.addContentTypeParser(media, { parseAs: 'buffer', bodyLimit: formLimit }, (request, body, done) => {
      if (configOf(request).takes !== undefined) return done(null, media === 'multipart/form-data' ? undefined : body)
      done(new ApiError('unsupported_media_type', 'Send the body as application/json'))
    })
  }

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
    if (known.code === 'payload_too_large') letFinish(request, reply)
    return isForPeople(request) ? sendErrorPage(reply, known) : sendError(reply, known)
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url.split('?', 1)[0] as string, table)
    if (allowed.length === 0) return sendNotFound(app, request, reply)
    reply.header('allow', allowed.join(', '))
    return sendError(reply, new ApiError('method_not_allowed', `${request.method} is not one of ${allowed.join(', ')}`))
  })
  return app
}

/** Programs read the one shape; a person is given a way on, where there is a start page. */
function sendNotFound(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = new ApiError('not_found', 'Not found')
  reply.header('vary', 'accept')
  const wayOn = app.hasRoute({ method: 'GET', url: '/' }) && isAskedByPerson(request)
  return wayOn ? sendErrorPage(reply, error, true) : sendError(reply, error)
}

/** A body of so many bytes is read to its end and thrown away; whoever sends more is cut off. */
const mostThrownAway = 64 * 1_048_576

/** Whoever still sends reads the answer afterwards; Fastify would close the connection, and the client see that alone. */
function letFinish(request: FastifyRequest, reply: FastifyReply): void {
  if (!(Number(request.headers['content-length']) <= mostThrownAway)) return
  reply.removeHeader('connection')
  request.raw.resume()
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

export function asApiError(error: FastifyError | ApiError | UnavailableError, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof UnavailableError) {
    request.log.error({ method: request.method, url: request.url }, `the store is away: ${error.message}`)
    return storeAway(error, configOf(request).isPublic)
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new ApiError(
      'payload_too_large',
      `The body is larger than ${request.routeOptions.bodyLimit ?? bodyLimit} bytes`,
    )
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
