import type { ErrorKind } from '@watchpost/contract'
import { Channel, lastHeardFrom } from './dns-channel.ts'
import { ask, encode, type Query, type Resolver, type Response } from './dns-client.ts'
import { Failure } from './failure.ts'
import type { Look } from './look.ts'
import { Stopwatch } from './stopwatch.ts'
import { systemServers } from './system-names.ts'

const patience = 1000
const preferenceLasts = 60_000
const passedOn = new Set<ErrorKind>(['dns_answer', 'probe_resources', 'probe_permission'])

/** The resolver that answered when the first one did not, and until when it comes first. */
let preferred: { server: string; until: number } | null = null

/** A reply, and who gave it. */
interface Reply {
  response: Response
  resolver: Resolver
}

/**
 * Asks the resolvers of this host. One that says nothing for a second, or cannot help, is helped out by the next, while
 * its own answer is still welcome; the one that did answer then comes first for a minute.
 * @throws {Failure} dns_timeout when they say nothing of this name but talk otherwise; probe_resolver when they are silent
 */
export async function askSystem(look: Look, query: Query, transport: 'udp' | 'tcp' = 'udp'): Promise<Reply> {
  const servers = inOrder(systemServers())
  const started = performance.now()
  const over = new AbortController()
  const end = () => over.abort(null)
  look.signal.addEventListener('abort', end)
  // What the losers do goes unseen: their time and details are not the check's.
  const share: Look = { ...look, signal: over.signal, watch: new Stopwatch() }
  const witness = setTimeout(askForRoot, (look.timeout * 1000) / 2, servers)
  try {
    return await firstOf(servers, share, query, transport)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (passedOn.has(error.kind)) throw error
    if (look.signal.aborted && servers.some(server => lastHeardFrom(resolverOf(server)) > started)) {
      throw new Failure('dns_timeout', `Within ${look.timeout} s there was no answer for ${query.name}.`)
    }
    const names = servers.length > 0 ? servers.join(', ') : 'none is configured'
    throw new Failure('probe_resolver', `No resolver of the probe answered (${names}).`, { cause: error })
  } finally {
    clearTimeout(witness)
    look.signal.removeEventListener('abort', end)
    end()
    look.watch.lap('resolve_ms')
  }
}

function firstOf(servers: string[], look: Look, query: Query, transport: 'udp' | 'tcp'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let next = 0
    let open = 0
    let timer: NodeJS.Timeout | undefined
    let fallback: Reply | undefined
    const askNext = () => {
      clearTimeout(timer)
      const server = servers[next++]
      if (server === undefined) return settle()
      const resolver = resolverOf(server)
      open++
      if (next < servers.length) timer = setTimeout(askNext, Math.min(patience, (look.timeout * 1000) / servers.length))
      ask(look, resolver, query, transport).then(
        response => {
          open--
          if (response.rcode === 'NOERROR' || response.rcode === 'NXDOMAIN') {
            clearTimeout(timer)
            if (server !== servers[0]) preferred = { server, until: performance.now() + preferenceLasts }
            return resolve({ response, resolver })
          }
          fallback ??= { response, resolver }
          askNext()
        },
        error => {
          open--
          failure = error
          if (look.signal.aborted) settle()
          else askNext()
        },
      )
    }
    let failure: unknown = new Failure('probe_resolver', 'The probe has no resolver.')
    const settle = () => {
      if (look.signal.aborted) clearTimeout(timer)
      else if (open > 0) return
      if (fallback) resolve(fallback)
      else reject(failure)
    }
    askNext()
  })
}

/** Every resolver knows the root: one that answers this, but not the question, is alive, and the name is at fault. */
function askForRoot(servers: string[]): void {
  for (const server of servers) {
    const channel = new Channel(resolverOf(server))
    const id = channel.ask(encode({ name: '.', type: 'NS' }), { heard: () => channel.forget(id), failed: () => {} })
    setTimeout(() => channel.forget(id), 5000).unref()
  }
}

function inOrder(servers: string[]): string[] {
  if (!preferred) return servers
  if (performance.now() > preferred.until || !servers.includes(preferred.server)) {
    preferred = null
    return servers
  }
  const { server } = preferred
  return [server, ...servers.filter(it => it !== server)]
}

/** Reads what `getServers` lists: an address, with a port only where that is not 53. It may have a zone. */
function resolverOf(text: string): Resolver {
  const [, ip = text, port = '53'] = /^\[(.*)\]:(\d+)$/.exec(text) ?? /^([\d.]+):(\d+)$/.exec(text) ?? []
  return { ip, port: Number(port) }
}
