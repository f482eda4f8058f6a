import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import {
  ApiError,
  errorBody,
  type FieldErrors,
  ingestRoutes,
  itemBody,
  type QuotaExceeded,
  type RumReply,
} from '@watchpost/contract'
import { type AppOfKey, appByKey } from '@watchpost/store'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { iso } from '../api/time.ts'
import type { Context } from '../context.ts'
import { mayUse } from '../domain/origin.ts'
import { readUserAgent } from '../domain/user-agent.ts'
import { callerOf, whoAsks } from '../http/admit.ts'
import { asApiError, sendError } from '../http/app.ts'
import { allowOrigin } from '../http/cors.ts'
import { requireHost } from '../http/host.ts'
import type { Counts } from '../http/rate-limit.ts'
import type { RouteConfig } from '../http/route-config.ts'
import type { Exceeded, RumOutcome } from '../rum/decide.ts'
import { type RumBatch, readEvents } from '../rum/read-events.ts'
import { hashToken } from '../secrets.ts'

/** Bytes of a request, before and after decompression (ruling 3). */
const largestBody = 524_288
const mediaTypes = ['application/json', 'text/plain']
const unpack: Record<string, (body: Buffer) => Promise<Buffer>> = {
  identity: async body => body,
  gzip: body => promisify(gunzip)(body, { maxOutputLength: largestBody }),
  deflate: body => promisify(inflate)(body, { maxOutputLength: largestBody }),
}

const config: RouteConfig = { cors: 'own', challenge: 'Api-Key' }
const { path } = ingestRoutes.sendRum

/** The RUM surface: its credential is the key in the query, and only pages on the app's allow-list may use it. */
export function registerRum(app: FastifyInstance, context: Context, counts: Counts): void {
  // A scope of its own: what a beacon sends is JSON under another name.
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBody }, (_request, body, done) =>
      done(null, body),
    )
    scope.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
      const code = (error as FastifyError).code
      return sendError(reply, code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? tooLarge() : asApiError(error, request))
    })

    // A preflight carries no credential that could be judged, only the key whose allow-list answers it.
    scope.options(path, {
      config,
      async onRequest(request, reply) {
        const app = await appOfKey(context, request)
        if (!answerOrigin(request, reply, app)) throw forbidden()
        return reply.status(204).send()
      },
      handler: async () => undefined,
    })

    scope.post(path, {
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
        const known = await whoAsks(request, reply, authenticate, counts.anonymous)
        request.setDecorator('caller', known)
        counts.rum(request, reply, known)
        if (!mayRead) throw forbidden()
        refuseForm(request)
        makeRoom(context, request, reply)
      },
      handler: (request, reply) => take(context, request, reply),
    })
  })
}

async function take(context: Context, request: FastifyRequest, reply: FastifyReply) {
  const app = callerOf(request) as AppOfKey
  const body = await unpacked(request)
  const { sent_at } = request.query as { sent_at?: unknown }
  const sentAt = typeof sent_at === 'string' && /^\d{1,16}(\.\d+)?$/.test(sent_at) ? Number(sent_at) : undefined
  const batch = readEvents(body, sentAt, context.now())
  const client = readUserAgent(request.headers['user-agent'])
  const outcome = await context.rum.take(app, { items: batch.items, client })
  const { exceeded } = outcome
  if (exceeded !== undefined && outcome.accepted + outcome.duplicates === 0) {
    return sendExceeded(reply, exceeded, context.now())
  }
  return itemBody(replyOf(batch, outcome))
}

function replyOf(batch: RumBatch, { accepted, duplicates, over }: RumOutcome): RumReply {
  const errors: FieldErrors = { ...batch.errors }
  for (const { position, quota } of over) errors[`${position}.event`] = usedUp(quota)
  return { accepted, duplicates, rejected: batch.rejected + over.length, errors }
}

const usedUp = (quota: string) => `The monthly quota ${quota} is used up`

/** The documented refusal, with what our other errors say beside it (ruling 4). */
function sendExceeded(reply: FastifyReply, { quota, limit, used, resetAt }: Exceeded, now: number): FastifyReply {
  const retryAfter = Math.max(1, Math.ceil((resetAt - now) / 1000))
  const { message, errors } = errorBody(new ApiError('quota_exceeded', usedUp(quota)))
  const body: QuotaExceeded = {
    success: false,
    error: message,
    message,
    code: 'quota_exceeded',
    status: 429,
    errors,
    quota_type: quota,
    limit,
    used,
    reset_at: iso(resetAt),
    retry_after: retryAfter,
  }
  return reply.status(429).header('retry-after', retryAfter).send(body)
}

/** A beacon without a type is text. */
function refuseForm({ headers }: FastifyRequest): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? 'text/plain'
  if (!mediaTypes.includes(type)) {
    throw new ApiError('unsupported_media_type', `Send the body as ${mediaTypes.join(' or ')}`)
  }
  if (!Object.hasOwn(unpack, encodingOf(headers['content-encoding']))) {
    throw new ApiError('unsupported_media_type', 'Send the body plain, as gzip or as deflate')
  }
  if (Number(headers['content-length'] ?? 0) > largestBody) throw tooLarge()
}

const encodingOf = (header: string | undefined) => (header ?? 'identity').trim().toLowerCase()

/** A place for the body, until the answer is on its way. */
function makeRoom({ rum, telemetry }: Context, { headers }: FastifyRequest, reply: FastifyReply): void {
  const full = telemetry.refusal()
  if (full !== undefined) throw new ApiError('unavailable', full, { retryAfter: 60 })
  const isPlain = encodingOf(headers['content-encoding']) === 'identity'
  const release = rum.begin(isPlain ? Number(headers['content-length'] ?? largestBody) : largestBody)
  if (release === undefined) throw new ApiError('unavailable', 'Too much at once; try again', { retryAfter: 2 })
  reply.raw.once('close', release)
}

async function unpacked({ headers, body }: FastifyRequest): Promise<Buffer> {
  try {
    const plain = (body as Buffer | undefined) ?? Buffer.alloc(0)
    return await (unpack[encodingOf(headers['content-encoding'])] as (body: Buffer) => Promise<Buffer>)(plain)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new ApiError('bad_request', 'The body is not what its Content-Encoding says')
  }
}

const tooLarge = () =>
  new ApiError('payload_too_large', `The body is larger than ${largestBody} bytes; send fewer events at once`)

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
