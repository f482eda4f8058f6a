import { createHash } from 'node:crypto'
import { ApiError, errorBody, type Route } from '@watchpost/contract'
import { ConstraintError, dropExpiredKey, insertKey, keepAnswer, keptKey, type Step } from '@watchpost/store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { UserCaller } from './handler.ts'
import { refuse } from './validate.ts'

/** How long a key is remembered; after that it means a new request. */
export const keptForMs = 24 * 3_600_000

/** Bytes of an answer that is kept: of what takes effect only an apply of files answers with more. */
const largestKept = 262_144

/** What was answered under a key. */
export interface Answered {
  status: number
  body: string
}

/** One request sent under an `Idempotency-Key`. */
export interface Once {
  /** Steps that belong in the commit of the effect: they fail where another request has the key. */
  claim: Step[]
  /**
   * What was answered to this request before, if it was.
   * @throws {ApiError} validation_failed when the key was used for something else; conflict when its answer is not there
   */
  answered(): Promise<Answered | undefined>
  /** Of an answer that is too large only that it was given. */
  keep(answered: Answered): Promise<void>
}

/**
 * The request's `Idempotency-Key`: sent again with the same key, a POST takes effect once and is answered the same. A key
 * is its caller's own.
 * @returns undefined for requests without one, or of a kind that takes none
 */
export function onceOf(
  request: FastifyRequest,
  entry: Route,
  body: unknown,
  caller: unknown,
  context: Context,
): Once | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || entry.method !== 'POST' || entry.surface !== 'user') return undefined
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    refuse({ 'Idempotency-Key': 'must be 1 to 255 ASCII characters' })
  }
  // Nothing to happen twice: it is asked anew.
  if (entry.changesNothing === true || (body as { dry_run?: boolean } | undefined)?.dry_run === true) return undefined
  const { team_id, as } = caller as UserCaller
  const id = { team_id, caller: as, key: key as string }
  const now = context.now()
  const row = { ...id, request: digest(request), created_at: now }
  const purpose = `answer ${id.team_id}/${id.caller}/${id.key}`
  return {
    claim: [
      { query: dropExpiredKey, params: { ...id, since: now - keptForMs } },
      { query: insertKey, params: row },
    ],
    async answered() {
      const kept = await context.db.one(keptKey, { ...id, since: now - keptForMs })
      if (kept === undefined) return undefined
      if (kept.request !== row.request) {
        refuse({ 'Idempotency-Key': 'was used for another request; choose a new one' })
      }
      if (kept.answer === null) throw underWay()
      return JSON.parse(context.keyring.open(kept.answer, purpose)) as Answered
    },
    async keep(answered) {
      const kept = Buffer.byteLength(answered.body) > largestKept ? tookEffect : answered
      const answer = context.keyring.seal(JSON.stringify(kept), purpose)
      await context.db.commit([{ query: keepAnswer, params: { ...row, answer } }])
    },
  }
}

/** Lets a request take effect unless it has before, and answers as it was answered then. */
export async function answerOnce(
  once: Once,
  reply: FastifyReply,
  effect: () => Promise<Answered>,
): Promise<FastifyReply> {
  const before = await once.answered()
  if (before !== undefined) return sendAnswered(reply.header('idempotency-replayed', 'true'), before)
  let answered: Answered
  try {
    answered = await effect()
  } catch (error) {
    if (!isTwin(error)) throw error
    const twin = await once.answered()
    if (twin === undefined) throw underWay()
    return sendAnswered(reply.header('idempotency-replayed', 'true'), twin)
  }
  await once.keep(answered)
  return sendAnswered(reply, answered)
}

function sendAnswered(reply: FastifyReply, { status, body }: Answered): FastifyReply {
  return reply.status(status).type('application/json; charset=utf-8').send(body)
}

/** Said to a request that comes again, in the place of an answer that was too large to be kept. */
const tookEffect: Answered = {
  status: 409,
  body: JSON.stringify(
    errorBody(
      new ApiError(
        'conflict',
        'This request took effect, and its answer was too large to be kept; read what there is now',
      ),
    ),
  ),
}

/** Whether a commit failed because a twin of this request had the key first. */
function isTwin(error: unknown): boolean {
  return error instanceof ConstraintError && error.query === insertKey.name
}

function underWay(): ApiError {
  const message =
    'A request with this Idempotency-Key is under way, or its answer was lost; see whether it took effect before you use another key'
  return new ApiError('conflict', message, { retryAfter: 1 })
}

/** What was asked, whatever the connection it came by. */
function digest(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update((request.body as Buffer | undefined) ?? '')
    .digest('base64url')
}
