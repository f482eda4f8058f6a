import { type HttpAnswer, type HttpRequest, nodeFetch } from '@watchpost/contract'
import { sayDuration } from './duration.ts'
import { pause as rest } from './pause.ts'

export interface Patience {
  /** Bounds all requests and pauses together, from the first request on. */
  timeoutMs: number
  /** false: each request is tried once. */
  retries: boolean
  signal?: AbortSignal | undefined
  /** Told why it takes longer. */
  notice?(text: string): void
}

/** What one attempt came to. */
export type Attempt =
  | { status: number; code?: string | undefined; retryAfterMs?: number | undefined }
  | { status: 0; failure: string }

const attempts = 5
const connectionAttempts = 3
const nothingWasSent = ['ECONNREFUSED', 'EAI_AGAIN']
const lostOnTheWay = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']

/** May be sent again whatever became of the first one. */
const repeatable = ['GET', 'PUT', 'KEYED']

/**
 * Milliseconds to wait before trying again, or undefined where that cannot help or might do a thing twice.
 * @param method of the request; KEYED for a POST with an idempotency key, which takes effect once however often it is sent
 */
export function pauseBefore(
  attempt: number,
  method: string,
  result: Attempt,
  random = Math.random(),
): number | undefined {
  const backoff = 200 * 2 ** attempt * (0.75 + random / 2)
  if ('failure' in result) {
    if (attempt >= connectionAttempts) return undefined
    const mayRepeat =
      nothingWasSent.includes(result.failure) || (repeatable.includes(method) && lostOnTheWay.includes(result.failure))
    return mayRepeat ? backoff : undefined
  }
  if (attempt >= attempts) return undefined
  const refusedUnseen = result.status === 429 && result.code !== 'quota_exceeded'
  // A bug may be mended by chance, and a write that is sent again by name does no harm.
  const busy = result.status >= 500 && method !== 'POST' && (result.status > 501 || repeatable.includes(method))
  // What we sent before is still being done; its answer will be there.
  const underWay = result.status === 409 && method === 'KEYED' && attempt > 0
  return refusedUnseen || busy || underWay ? (result.retryAfterMs ?? backoff) : undefined
}

/** A `fetch` that tries again where that can help, within one budget of time; each POST goes under a key of its own. */
export function patientFetch(patience: Patience): typeof nodeFetch {
  let deadline: number | undefined
  const send = async (url: string | URL, init: HttpRequest): Promise<HttpAnswer> => {
    deadline ??= elapsedMs() + patience.timeoutMs
    const keyed = init.method === 'POST'
    const request = keyed ? { ...init, headers: { 'idempotency-key': freshKey(), ...init.headers } } : init
    for (let attempt = 0; ; attempt++) {
      const left = deadline - elapsedMs()
      const tried = await tryOnce(url, request, Math.max(1, left), patience)
      const method = keyed ? 'KEYED' : (init.method ?? 'GET')
      const pause = patience.retries ? pauseBefore(attempt, method, tried.attempt) : undefined
      if (pause === undefined || pause >= deadline - elapsedMs()) {
        if (tried.answer !== undefined) return tried.answer
        throw tried.error
      }
      if (pause >= 2000) patience.notice?.(`The server is busy; trying again in ${sayDuration(pause)}.`)
      await rest(Math.ceil(pause), patience.signal)
    }
  }
  return send
}

/** `performance` would be loaded for it, and that takes a millisecond. */
function elapsedMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function freshKey(): string {
  return process.getBuiltinModule('node:crypto').randomUUID()
}

interface Tried {
  attempt: Attempt
  answer?: HttpAnswer
  error?: unknown
}

async function tryOnce(url: string | URL, init: HttpRequest, leftMs: number, patience: Patience): Promise<Tried> {
  const timeout = AbortSignal.timeout(Math.ceil(leftMs))
  const signals = [timeout, init.signal, patience.signal].filter(signal => signal !== undefined)
  try {
    // Read to its end, so that an answer that breaks off counts as lost, too.
    const answer = await nodeFetch(url, { ...init, signal: AbortSignal.any(signals) })
    const text = answer.status === 409 || answer.status === 429 || answer.status >= 500 ? await answer.text() : ''
    return { answer, attempt: { status: answer.status, ...refusal(text, answer.headers) } }
  } catch (error) {
    if (timeout.aborted && patience.signal?.aborted !== true) {
      const message = `no answer within ${sayDuration(patience.timeoutMs)} (--request-timeout allows more)`
      return { error: new Error('timeout', { cause: { message } }), attempt: { status: 0, failure: 'timeout' } }
    }
    const code = (error as { cause?: { code?: string } }).cause?.code ?? ''
    return { error, attempt: { status: 0, failure: code } }
  }
}

function refusal(text: string, headers: HttpAnswer['headers']) {
  if (text === '') return {}
  let body: { code?: string; retry_after?: number } = {}
  try {
    body = JSON.parse(text) ?? {}
  } catch {
    // A proxy's page: the headers must do.
  }
  const header = headers.get('retry-after')
  const seconds = header === null ? body.retry_after : Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header ?? '') - Date.now() : (seconds ?? Number.NaN) * 1000
  return { code: body.code, retryAfterMs: Number.isNaN(ms) ? undefined : Math.max(0, ms) }
}
