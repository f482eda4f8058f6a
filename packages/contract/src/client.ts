import { type ApiError, errorFromResponse } from './error.ts'
import type { HttpAnswer, HttpRequest } from './node-http.ts'
import type { BodyOf, ParamsOf, PathParams, QueryOf, ReplyOf, Route, Routes } from './route.ts'
import { routes as allRoutes, type RouteName } from './routes/index.ts'

export interface ClientOptions {
  /** Address of the control plane, without `/v1`: `http://127.0.0.1:8080`. */
  url: string
  /** Sent as `Authorization: Bearer …`. */
  token?: string
  /** Bounds every request; the caller's own signal is heeded too. */
  timeoutMs?: number
  userAgent?: string
  /** The global one by default, or {@link nodeFetch}. */
  fetch?: (url: string, init: HttpRequest & { redirect: 'error' }) => Promise<HttpAnswer>
}

/** Nothing usable came back: no connection, no answer in time, or an answer that is not ours. */
export class UnreachableError extends Error {
  override name = 'UnreachableError'
}

type Part<K extends string, T, Required extends boolean> = Required extends true ? { [P in K]: T } : { [P in K]?: T }

/** What a call of this route takes. */
export type Input<R extends Route> = Part<
  'params',
  ParamsOf<R>,
  [PathParams<R['path']>] extends [never] ? false : true
> &
  Part<'body', BodyOf<R>, BodyOf<R> extends undefined ? false : true> & {
    query?: QueryOf<R>
    headers?: Record<string, string>
    signal?: AbortSignal
  }

type Args<R extends Route> = Record<never, never> extends Input<R> ? [input?: Input<R>] : [input: Input<R>]

export type ClientOf<R extends Routes> = {
  [N in keyof R]: (...args: Args<R[N]>) => Promise<ReplyOf<R[N]>>
}
export type Client = ClientOf<Pick<typeof allRoutes, RouteName>>

/** What any call may be given when the route is only known by name. */
export interface AnyInput {
  params?: Record<string, string | number>
  query?: object
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/**
 * A client of every route of the contract: `client.getMonitor({ params: { id: 1 } })`.
 * Its calls throw {@link ApiError} for what the server refuses and {@link UnreachableError} where no answer came.
 */
export function createClient(options: ClientOptions): Client {
  return clientOf(allRoutes, options)
}

/** The same for some routes only, by whoever needs no others: those of the whole contract are megabytes of memory. */
export function clientOf<R extends Routes>(routes: R, options: ClientOptions): ClientOf<R> {
  // A route is read when it is called: programs that start often call one of a hundred.
  const calls = Object.keys(routes).map(name => [
    name,
    (input: AnyInput = {}) => call(routes[name] as Route, input, options),
  ])
  return Object.fromEntries(calls)
}

/** Calls one route; what {@link createClient} does for each. */
export async function call(entry: Route, input: AnyInput, options: ClientOptions): Promise<unknown> {
  const url = options.url.replace(/\/+$/, '') + fillPath(entry.path, input.params ?? {}) + queryString(input.query)
  const bound = options.timeoutMs === undefined ? undefined : AbortSignal.timeout(options.timeoutMs)
  const signals = [input.signal, bound].filter(signal => signal !== undefined)
  const headers: Record<string, string> = { accept: 'application/json', ...input.headers }
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`
  if (options.userAgent !== undefined) headers['user-agent'] = options.userAgent
  if (input.body !== undefined) headers['content-type'] = 'application/json'

  let response: HttpAnswer
  let text: string
  try {
    response = await (options.fetch ?? fetch)(url, {
      method: entry.method,
      headers,
      ...(signals.length === 0 ? {} : { signal: AbortSignal.any(signals) }),
      redirect: 'error',
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    })
    text = await response.text()
  } catch (error) {
    throw new UnreachableError(`Cannot reach ${options.url}: ${reason(error)}`, { cause: error })
  }
  if (!response.ok) throw responseError(response, text)
  if (entry.produces !== undefined) return text
  const body = parse(text)
  if (body === undefined) throw new UnreachableError(`${options.url} answered, but not as a Watchpost server does`)
  return body
}

function fillPath(path: string, params: Record<string, string | number>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${path} needs ${name}`)
    return encodeURIComponent(value)
  })
}

function queryString(query: object = {}): string {
  const set = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) set.append(name, String(value))
  return set.size === 0 ? '' : `?${set}`
}

function responseError(response: HttpAnswer, text: string): ApiError {
  const seconds = Number(response.headers.get('retry-after'))
  return errorFromResponse(response.status, parse(text), seconds > 0 ? seconds : undefined)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** undici says only "fetch failed"; what a person needs is in the cause. */
function reason(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  const code = cause?.code
  if (code === 'ECONNREFUSED') return 'connection refused; is the server running?'
  if (code === 'ENOTFOUND') return 'the host name does not exist'
  if ((error as Error).name === 'TimeoutError') return 'no answer in time'
  return cause?.message || code || (error as Error).message
}
