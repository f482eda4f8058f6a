import { type Dispatcher, request } from 'undici'
import type { Delivered } from './channel.ts'

const timeoutMs = 15_000
/** Of an answer; what services say fits many times over. */
const largestAnswer = 65_536

export interface Answer {
  status: number
  retryAfterS: number
  /** What it says, as far as it was asked for. */
  text: string
}

/**
 * Posts JSON; redirects are not followed.
 * @param wantsText whether what the receiver says is read, or thrown away
 * @returns the answer, or why there is none
 */
export async function post(
  dispatcher: Dispatcher,
  url: string,
  body: string,
  headers: Record<string, string>,
  { now, signal, wantsText = false }: { now: number; signal: AbortSignal; wantsText?: boolean },
): Promise<Answer | { failed: Delivered & { ok: false } }> {
  try {
    const response = await request(url, {
      method: 'POST',
      dispatcher,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    const answer = { status: response.statusCode, retryAfterS: secondsOf(response.headers['retry-after'], now) }
    if (wantsText) return { ...answer, text: await beginningOf(response.body) }
    // Not waited for; reading it lets the connection end cleanly.
    response.body.dump({ limit: largestAnswer }).catch(() => undefined)
    return { ...answer, text: '' }
  } catch (error) {
    return { failed: { ok: false, error: sentence(error) } }
  }
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > largestAnswer) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Retry-After is a number of seconds or a date; anything else is 0. */
function secondsOf(header: string | string[] | undefined, now: number): number {
  const text = String(header)
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isNaN(seconds) ? 0 : Math.max(0, seconds)
}

/** Without the address: it may hold a secret, and this is shown. */
function sentence(error: unknown): string {
  const { code, message, name } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return 'No answer in time'
  return code === undefined ? message : `The connection failed: ${code}`
}

/** Of what a service answers as JSON; an empty object where it is none. */
export function jsonOf(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
