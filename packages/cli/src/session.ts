import type { IncomingMessage } from 'node:http'
import {
  type AnyInput,
  type Client,
  createClient,
  type Envelope,
  openHttp,
  type RouteName,
  routes,
  UnreachableError,
} from '@watchpost/contract'
import { resolveServer, type ServerFlags } from './config.ts'
import { parseDuration } from './duration.ts'
import { type Io, wantsColour } from './io.ts'
import { Output, parseOutputFormat } from './output.ts'
import { patientFetch } from './retry.ts'
import { version } from './version.ts'

/** Flags that every command takes. */
export interface GlobalFlags extends ServerFlags {
  output?: string
  requestTimeout?: string
  color?: boolean
}

/** What a command works with: the server, and where to put what it finds. */
export class Session {
  readonly io: Io
  readonly out: Output
  readonly flags: GlobalFlags
  readonly #timeoutMs: number
  #client: Client | undefined

  constructor(io: Io, flags: GlobalFlags) {
    this.io = io
    this.flags = flags
    this.out = new Output(
      io,
      parseOutputFormat(flags.output ?? 'table'),
      flags.color !== false && wantsColour(io.stdout, io.env),
    )
    this.#timeoutMs = parseDuration(flags.requestTimeout ?? '30s', '--request-timeout')
  }

  /** Every route of the contract; all its calls share the one budget of `--request-timeout`. */
  get client(): Client {
    this.#client ??= this.#connect({ retries: true })
    return this.#client
  }

  /** A client for routes that ask for no credential. */
  publicClient(): Client {
    return this.#connect({ retries: true, anonymous: true })
  }

  /** A client for one round of a loop that itself tries again. */
  oneRound(atMostMs = Number.POSITIVE_INFINITY): Client {
    return this.#connect({ retries: false, atMostMs })
  }

  /** A client that still asks when the person has said stop: to leave nothing half done. */
  lastWord(): Client {
    return this.#connect({ retries: true, heedless: true })
  }

  /** An answer that goes on and on, such as server-sent events; whoever reads it tries again by himself. */
  stream(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
    const { url, token } = resolveServer(this.flags, this.io.env)
    const own = { authorization: `Bearer ${token}`, 'user-agent': `monitorctl/${version}` }
    return openHttp(url + path, { headers: { ...own, ...headers }, signal })
  }

  /** The server's address, for people. */
  get url(): string {
    return resolveServer(this.flags, this.io.env, true).url
  }

  /** Throws where no server or token is given, before anything is asked or read. */
  requireServer(): void {
    resolveServer(this.flags, this.io.env)
  }

  #connect(how: { retries: boolean; anonymous?: boolean; atMostMs?: number; heedless?: boolean }): Client {
    const server = resolveServer(this.flags, this.io.env, how.anonymous)
    const client = createClient({
      url: server.url,
      ...(server.token === undefined ? {} : { token: server.token }),
      userAgent: `monitorctl/${version}`,
      fetch: patientFetch({
        timeoutMs: Math.min(this.#timeoutMs, how.atMostMs ?? Number.POSITIVE_INFINITY),
        retries: how.retries,
        signal: how.heedless === true ? undefined : this.io.signal,
        notice: text => this.out.note(text),
      }),
    })
    return inspected(client, server.url)
  }
}

/** A wrong port often answers 200 with JSON of its own; say so instead of failing on a missing field later. */
function inspected(client: Client, url: string): Client {
  const calls = (Object.keys(routes) as RouteName[]).map(name => {
    const send = client[name] as unknown as (input: AnyInput) => Promise<unknown>
    const checked = async (input: AnyInput) => {
      const body = await send(input)
      if (hasEnvelope(body, routes[name].envelope)) return body
      throw new UnreachableError(`${url} answered, but not as a Watchpost server does; check --url or WATCHPOST_URL`)
    }
    return [name, checked]
  })
  return Object.fromEntries(calls)
}

function hasEnvelope(body: unknown, envelope: Envelope): boolean {
  if (envelope === 'bare') return true
  if (typeof body !== 'object' || body === null || !('data' in body)) return false
  return envelope !== 'list' || (Array.isArray(body.data) && 'meta' in body && typeof body.meta === 'object')
}
