import { setTimeout as sleep } from 'node:timers/promises'
import { sayDuration } from './duration.ts'

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
const lostOnTheWay = [
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]

/**
 * Milliseconds to wait before trying again, or undefined where that cannot help or might do a thing twice:
 * a POST is repeated only when the server refused it unseen (429) or was never reached.
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
      nothingWasSent.includes(result.failure) || (method === 'GET' && lostOnTheWay.includes(result.failure))
    return mayRepeat ? backoff : undefined
  }
  if (attempt >= attempts) return undefined
  const refusedUnseen = result.status === 429 && result.code !== 'quota_exceeded'
  const busy = [502, 503, 504].includes(result.status) && method !== 'POST'
  return refusedUnseen || busy ? (result.retryAfterMs ?? backoff) : undefined
}

/** A `fetch` that tries again where that can help, within one budget of time. */
export function patientFetch(patience: Patience): typeof fetch {
  let deadline: number | undefined
  return async (url, init = {}) => {
    deadline ??= performance.now() + patience.timeoutMs
    for (let attempt = 0; ; attempt++) {
      const left = deadline - performance.now()
      const tried = await tryOnce(url, init, Math.max(1, left), patience)
      const pause = patience.retries ? pauseBefore(attempt, init.method ?? 'GET', tried.attempt) : undefined
      if (pause === undefined || pause >= deadline - performance.now()) {
        if (tried.response !== undefined) return tried.response
        throw tried.error
      }
      if (pause >= 2000) patience.notice?.(`The server is busy; trying again in ${sayDuration(pause)}.`)
      await sleep(Math.ceil(pause), undefined, { signal: patience.signal })
    }
  }
}

interface Tried {
  attempt: Attempt
  response?: Response
  error?: unknown
}

async function tryOnce(
  url: Parameters<typeof fetch>[0],
  init: RequestInit,
  leftMs: number,
  patience: Patience,
): Promise<Tried> {
  const timeout = AbortSignal.timeout(Math.ceil(leftMs))
  const signals = [timeout, init.signal, patience.signal].filter(signal => signal !== undefined && signal !== null)
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) })
    // Read here, so that an answer that breaks off counts as lost, too.
    const text = await response.text()
    const { status, headers } = response
    const copy = new Response([204, 205, 304].includes(status) ? null : text, { status, headers })
    return { response: copy, attempt: { status, ...refusal(status, text, headers) } }
  } catch (error) {
    if (timeout.aborted && patience.signal?.aborted !== true) {
      const message = `no answer within ${sayDuration(patience.timeoutMs)} (--request-timeout allows more)`
      return { error: new Error('timeout', { cause: { message } }), attempt: { status: 0, failure: 'timeout' } }
    }
    const code = (error as { cause?: { code?: string } }).cause?.code ?? ''
    return { error, attempt: { status: 0, failure: code } }
  }
}

function refusal(status: number, text: string, headers: Headers) {
  if (status !== 429 && status < 500) return {}
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
