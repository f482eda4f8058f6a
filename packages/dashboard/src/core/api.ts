import { ApiError, type Client, createClient, type RouteName, UnreachableError } from '@watchpost/contract'
import { learnTime } from './clock.ts'

let csrf = ''
let lost: () => void = () => undefined

/** Goes with every write from now on: the token of whoever is logged in. */
export function keepCsrfToken(token: string): void {
  csrf = token
}

/** Called when the server no longer knows who is asking. */
export function whenLoggedOut(then: () => void): void {
  lost = then
}

async function ask(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  if (csrf !== '' && init.method !== 'GET') headers.set('x-csrf-token', csrf)
  const response = await reach(input, { ...init, headers, credentials: 'same-origin' })
  learnTime(response.headers.get('date'))
  if (response.status === 401 && csrf !== '') lost()
  return response
}

/** A question is asked once more where the connection fell away beneath it: another network, a laptop that woke. */
async function reach(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init)
  } catch (error) {
    if (init.method !== 'GET' || init.signal?.aborted) throw error
    return fetch(input, init)
  }
}

/** Every route of the contract, typed by it. */
export const api: Client = createClient({ url: location.origin, fetch: ask, timeoutMs: 30_000 })

export type Api = Client
export type { RouteName }

/** What to tell a person of a call that failed. */
export function messageOf(error: unknown): string {
  if (error instanceof UnreachableError) return 'The server cannot be reached.'
  if (error instanceof ApiError) {
    const [field, first] = Object.entries(error.errors)[0] ?? []
    if (error.code === 'rate_limit_exceeded') return `Too many requests; try again in ${error.retryAfter ?? 60} s.`
    return first === undefined ? error.message : `${field} ${first}`
  }
  return error instanceof Error ? error.message : String(error)
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404
