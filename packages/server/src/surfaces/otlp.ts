import { ApiError, errorBody, type OtlpStatus, otlpRoutes } from '@watchpost/contract'
import type { AppOfKey } from '@watchpost/store'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { callerOf, whoAsks } from '../http/admit.ts'
import { asApiError, createApp } from '../http/app.ts'
import { requireHost } from '../http/host.ts'
import type { Count } from '../http/rate-limit.ts'
import type { RouteConfig } from '../http/route-config.ts'
import { type MediaType, mediaTypes, type Signal } from '../ingest/otlp.ts'
import { codes, exportReply, statusReply } from '../ingest/otlp-reply.ts'
import { hashToken } from '../secrets.ts'
import type { Answer, Exceeded, Sent } from '../telemetry/protocol.ts'
import { overloaded, readBody, tooLarge } from './otlp-body.ts'

const signalOf: Record<keyof typeof otlpRoutes, Signal> = {
  sendTraces: 'traces',
  sendLogs: 'logs',
  sendMetrics: 'metrics',
}

const config: RouteConfig = { corsHeaders: ['X-App-Token'], challenge: 'App-Token' }

/** A server for telemetry alone. Its address is the surface's own, so no host name is asked for, and nothing counted. */
export function createOtlpApp(context: Context): FastifyInstance {
  const app = createApp(context.log, otlpRoutes)
  app.decorateRequest('caller', null)
  register(app, context, authenticateApp(context), () => undefined)
  return app
}

/** The same paths on the main address. */
export function registerOtlp(app: FastifyInstance, context: Context, refused: Count<void>): void {
  const authenticate = authenticateApp(context)
  const ask = async (request: FastifyRequest) => {
    requireHost(request, context.config.hosts, 'otlp', request.url)
    return authenticate(request)
  }
  register(app, context, ask, refused)
}

function register(
  app: FastifyInstance,
  context: Context,
  authenticate: (request: FastifyRequest) => Promise<AppOfKey>,
  refused: Count<void>,
): void {
  // A scope of its own: bodies of any type, and errors as exporters read them.
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.setErrorHandler((error: FastifyError | ApiError, request, reply) =>
      sendStatus(request, reply, asApiError(error, request)),
    )
    for (const [name, { path }] of Object.entries(otlpRoutes)) {
      const signal = signalOf[name as keyof typeof otlpRoutes]
      scope.options(path, { config }, async () => undefined)
      scope.post(path, {
        config,
        // Before the body is read, of whatever type it is.
        async onRequest(request, reply) {
          request.setDecorator('caller', await whoAsks(request, reply, authenticate, refused))
        },
        handler: (request, reply) => take(context, signal, request, reply),
      })
    }
  })
}

async function take(context: Context, signal: Signal, request: FastifyRequest, reply: FastifyReply) {
  const { telemetry, config } = context
  const { team_id, id, name } = callerOf(request) as AppOfKey
  const media = mediaOf(request)
  if (media === undefined) {
    throw new ApiError('unsupported_media_type', `Send the body as ${mediaTypes.join(' or ')}`)
  }
  const encoding = encodingOf(request)
  const full = telemetry.refusal()
  if (full !== undefined) throw new ApiError('unavailable', full, { retryAfter: 60 })
  const body = await readBody(request.raw, config.telemetry.largestBody, telemetry)
  const { answer, arrived } = telemetry.send({ app: { team_id, id, name }, signal, media, encoding, body })
  reply.raw.once('close', () => arrived(reply.raw.writableFinished))
  return sendAnswer(context, signal, media, await answer, request, reply)
}

function sendAnswer(
  context: Context,
  signal: Signal,
  media: MediaType,
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  switch (answer.status) {
    case 200:
      return reply.header('content-type', media).send(exportReply(signal, media, answer.rejected, answer.reason))
    case 400:
      throw new ApiError('bad_request', answer.reason)
    case 413:
      throw tooLarge(context.config.telemetry.largestBody)
    case 429: {
      const { resetAt } = answer.exceeded as Exceeded
      const retryAfter = Math.max(1, Math.ceil((resetAt - context.now()) / 1000))
      return sendStatus(request, reply, new ApiError('quota_exceeded', answer.reason, { retryAfter }), answer.exceeded)
    }
    default:
      throw overloaded()
  }
}

/** A refusal in the encoding of the request (ruling 4). */
function sendStatus(request: FastifyRequest, reply: FastifyReply, error: ApiError, exceeded?: Exceeded): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', config.challenge)
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  const media = mediaOf(request) ?? 'application/json'
  const { code: _, ...said } = errorBody(error)
  const body: OtlpStatus = { ...said, code: codes[error.status] ?? 2 }
  if (exceeded !== undefined) {
    body.error = error.message
    body.quota_type = exceeded.quota
    body.limit = exceeded.limit
    body.used = exceeded.used
    body.reset_at = new Date(exceeded.resetAt).toISOString()
  }
  return reply.status(error.status).header('content-type', media).send(statusReply(media, body))
}

/** Whatever parameters it has. */
function mediaOf(request: FastifyRequest): MediaType | undefined {
  const said = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  return mediaTypes.find(media => media === said)
}

function encodingOf(request: FastifyRequest): Sent['encoding'] {
  const said = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (said === 'identity' || said === 'gzip' || said === 'deflate') return said
  if (said === '' || said === 'none') return 'identity'
  if (said === 'x-gzip') return 'gzip'
  throw new ApiError('unsupported_media_type', 'Send the body plain, as gzip or as deflate')
}

/** The surface's credential is an app token in `X-App-Token`; several would be one with a comma in it, which nobody has. */
const authenticateApp =
  (context: Context) =>
  async (request: FastifyRequest): Promise<AppOfKey> => {
    const token = request.headers['x-app-token']
    const app = typeof token === 'string' ? await context.apps.find(hashToken(token)) : undefined
    if (app === undefined) throw new ApiError('unauthorized', 'Unauthorized')
    return app
  }
