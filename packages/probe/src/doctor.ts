import { getServers, Resolver } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { ApiError, createClient } from '@watchpost/contract'
import type { CheckRunner } from './run.ts'
import { Spool, SpoolInUseError } from './spool.ts'
import { userAgent } from './version.ts'

export interface DoctorOptions {
  server: string | undefined
  token: string | undefined
  spoolDir: string
  name: string
  runCheck: CheckRunner
}

/** What was found about one thing: fine, or wrong with its mend. */
export interface Finding {
  what: string
  ok: boolean
  message: string
}

/** A clock further off than this makes the times of results misleading. */
const skewAllowedMs = 2000
const requestTimeoutMs = 10_000

/**
 * What this host can and cannot do, one line each.
 * @returns exit code: 0 everything is fine, 1 something is not
 */
export async function doctorCommand(options: DoctorOptions, write: (text: string) => void): Promise<number> {
  const findings = (
    await Promise.all([ping(options), resolvers(getServers()), spool(options.spoolDir), controlPlane(options)])
  ).flat()
  for (const { what, ok, message } of findings) write(`${ok ? 'ok     ' : 'problem'}  ${what.padEnd(9)}  ${message}\n`)
  return findings.every(({ ok }) => ok) ? 0 : 1
}

async function ping({ runCheck }: DoctorOptions): Promise<Finding> {
  const check = { type: 'ping', target: '127.0.0.1', method: 'get', timeout: 5, ssl_verify: true } as const
  const outcome = await runCheck({ ...check, options: { count: 1 } })
  if (outcome.status === 'online') return { what: 'ping', ok: true, message: '127.0.0.1 answers' }
  const mend =
    "install ping (Debian: apt install iputils-ping); in a container, allow it with --cap-add NET_RAW or sysctl net.ipv4.ping_group_range='0 2147483647'"
  return { what: 'ping', ok: false, message: `${outcome.error_message ?? 'no answer'}; mend: ${mend}` }
}

/** @param servers addresses of resolvers, as the system has them */
export async function resolvers(servers: string[]): Promise<Finding> {
  const silent = (await Promise.all(servers.map(async server => ((await answers(server)) ? [] : [server])))).flat()
  const mend = 'see /etc/resolv.conf and whether port 53 is let through'
  if (servers.length === 0) return { what: 'resolvers', ok: false, message: `none configured; mend: ${mend}` }
  if (silent.length > 0) {
    return { what: 'resolvers', ok: false, message: `${silent.join(', ')} does not answer; mend: ${mend}` }
  }
  return { what: 'resolvers', ok: true, message: `${servers.join(', ')} answers` }
}

/** Any answer will do, even that there is no such name: it shows that somebody is there. */
async function answers(server: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  try {
    resolver.setServers([server])
    await resolver.resolve4('example.com')
    return true
  } catch (error) {
    return ['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

async function spool(dir: string): Promise<Finding> {
  const existed = existsSync(dir)
  try {
    const opened = await Spool.open(dir)
    const waiting = opened.size
    await opened.close()
    if (!existed) await rmdir(dir)
    return { what: 'spool', ok: true, message: `${dir} can be written, ${waiting} results wait in it` }
  } catch (error) {
    if (error instanceof SpoolInUseError)
      return { what: 'spool', ok: true, message: `${dir} is used by a running probe` }
    return { what: 'spool', ok: false, message: `${(error as Error).message}; mend: name another with --spool-dir` }
  }
}

/**
 * Asks the server with a request that changes nothing: no results. A token that is accepted gets "no results" back,
 * one that is not gets 401, and both carry the server's clock.
 */
async function controlPlane({ server, token, name }: DoctorOptions): Promise<Finding[]> {
  if (server === undefined) return []
  let date: string | null = null
  let sentAt = 0
  const watching: typeof fetch = async (...args) => {
    sentAt = Date.now()
    const response = await fetch(...args)
    date = response.headers.get('date')
    return response
  }
  const client = createClient({
    url: server,
    ...(token === undefined ? {} : { token }),
    timeoutMs: requestTimeoutMs,
    userAgent: userAgent(name),
    fetch: watching,
  })
  const error = await client.submitResults({ body: { results: [] } }).then(
    () => undefined,
    (error: Error) => error,
  )
  const status = error instanceof ApiError ? error.status : undefined
  const isProbeApi = error === undefined || [400, 401, 422, 429].includes(status ?? 0)
  if (!isProbeApi) {
    const mend = status === 404 ? 'is this the address of a Watchpost server?' : 'check the address and the way to it'
    return [{ what: 'server', ok: false, message: `${server}: ${error?.message}; mend: ${mend}` }]
  }
  const findings: Finding[] = [{ what: 'server', ok: true, message: `${server} answers` }]
  if (date !== null) findings.push(clock(Date.parse(date), sentAt, Date.now()))
  findings.push(tokenFinding(token, status))
  return findings
}

function tokenFinding(token: string | undefined, status: number | undefined): Finding {
  const mend = 'make a probe with "monitorctl probes create --name NAME" and use its token'
  if (token === undefined) return { what: 'token', ok: false, message: `none given; mend: ${mend}` }
  if (status === 401) return { what: 'token', ok: false, message: `the server does not accept it; mend: ${mend}` }
  return { what: 'token', ok: true, message: 'the server accepts it' }
}

/** @param date of the answer, in epoch milliseconds, cut to whole seconds */
export function clock(date: number, sentAt: number, receivedAt: number): Finding {
  // The true time of the answer lies anywhere in that second, and anywhere between sending and receiving.
  const ahead = Math.max(0, sentAt - (date + 1000), date - receivedAt)
  if (ahead <= skewAllowedMs) return { what: 'clock', ok: true, message: 'agrees with the server' }
  const way = sentAt > date ? 'ahead of' : 'behind'
  const message = `${(ahead / 1000).toFixed(1)} s ${way} the server; mend: run a time service such as systemd-timesyncd`
  return { what: 'clock', ok: false, message }
}
