import { getServers, Resolver } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ApiError, clientOf, nodeFetch, probeApiRoutes } from '@watchpost/contract'
import { files, ipv6Route, ping, pinger, space } from './doctor-host.ts'
import type { CheckRunner } from './run.ts'
import { Spool, SpoolInUseError } from './spool.ts'
import { userAgent } from './version.ts'

export interface DoctorOptions {
  server: string | undefined
  token: string | undefined
  spoolDir: string
  name: string
  concurrency: number
  output: 'text' | 'json'
  runCheck: CheckRunner
}

/** What was found about one thing: fine, worth knowing, or wrong; the last two with their mend. */
export interface Finding {
  what: string
  status: 'ok' | 'warn' | 'fail'
  message: string
}

/** A clock further off than this makes the times of results misleading. */
const skewAllowedMs = 2000
const requestTimeoutMs = 10_000

/**
 * What this host can and cannot do, one line each.
 * @returns exit code: 0 nothing is wrong, 1 something is
 */
export async function doctorCommand(options: DoctorOptions, write: (text: string) => void): Promise<number> {
  const findings = (
    await Promise.all([
      ping(options, 4),
      ping(options, 6),
      pinger(),
      resolvers(getServers()),
      ipv6Route(),
      spool(options.spoolDir),
      space(options.spoolDir),
      files(options.concurrency),
      controlPlane(options),
    ])
  ).flat()
  const ok = findings.every(({ status }) => status !== 'fail')
  if (options.output === 'json') write(`${JSON.stringify({ ok, findings })}\n`)
  else for (const { what, status, message } of findings) write(`${status.padEnd(4)}  ${what.padEnd(9)}  ${message}\n`)
  return ok ? 0 : 1
}

/** @param servers addresses of resolvers, as the system has them */
export async function resolvers(servers: string[]): Promise<Finding> {
  const silent = (await Promise.all(servers.map(async server => ((await answers(server)) ? [] : [server])))).flat()
  const mend = 'see /etc/resolv.conf and whether port 53 is let through'
  if (servers.length === 0) return { what: 'resolvers', status: 'fail', message: `none configured; mend: ${mend}` }
  if (silent.length > 0) {
    return { what: 'resolvers', status: 'fail', message: `${silent.join(', ')} does not answer; mend: ${mend}` }
  }
  return { what: 'resolvers', status: 'ok', message: `${servers.join(', ')} answers` }
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
  const made = missing(dir)
  try {
    const opened = await Spool.open(dir)
    const waiting = opened.size
    await opened.close()
    for (const folder of made) await rmdir(folder)
    return { what: 'spool', status: 'ok', message: `${dir} can be written, ${waiting} results wait in it` }
  } catch (error) {
    if (error instanceof SpoolInUseError)
      return { what: 'spool', status: 'ok', message: `${dir} is used by a running probe` }
    return {
      what: 'spool',
      status: 'fail',
      message: `${(error as Error).message}; mend: name another with --spool-dir`,
    }
  }
}

/** The folders on the way to this one that are not there yet, the innermost first. */
function missing(dir: string): string[] {
  const at = resolve(dir)
  return existsSync(at) ? [] : [at, ...missing(dirname(at))]
}

/**
 * Asks the server with a request that changes nothing: no results. A token that is accepted gets "no results" back,
 * one that is not gets 401, and both carry the server's clock.
 */
async function controlPlane({ server, token, name }: DoctorOptions): Promise<Finding[]> {
  if (server === undefined) return []
  let date: string | null = null
  let sentAt = 0
  const watching: typeof nodeFetch = async (...args) => {
    sentAt = Date.now()
    const response = await nodeFetch(...args)
    date = response.headers.get('date')
    return response
  }
  const client = clientOf(probeApiRoutes, {
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
    return [{ what: 'server', status: 'fail', message: `${server}: ${error?.message}; mend: ${mend}` }]
  }
  const findings: Finding[] = [{ what: 'server', status: 'ok', message: `${server} answers` }]
  if (date !== null) findings.push(clock(Date.parse(date), sentAt, Date.now()))
  findings.push(tokenFinding(token, status))
  return findings
}

function tokenFinding(token: string | undefined, status: number | undefined): Finding {
  const mend = 'make a probe with "monitorctl probes create --name NAME" and use its token'
  if (token === undefined) return { what: 'token', status: 'fail', message: `none given; mend: ${mend}` }
  if (status === 401) return { what: 'token', status: 'fail', message: `the server does not accept it; mend: ${mend}` }
  return { what: 'token', status: 'ok', message: 'the server accepts it' }
}

/** @param date of the answer, in epoch milliseconds, cut to whole seconds */
export function clock(date: number, sentAt: number, receivedAt: number): Finding {
  // The true time of the answer lies anywhere in that second, and anywhere between sending and receiving.
  const ahead = Math.max(0, sentAt - (date + 1000), date - receivedAt)
  if (ahead <= skewAllowedMs) return { what: 'clock', status: 'ok', message: 'agrees with the server' }
  const way = sentAt > date ? 'ahead of' : 'behind'
  const message = `${(ahead / 1000).toFixed(1)} s ${way} the server; mend: run a time service such as systemd-timesyncd`
  return { what: 'clock', status: 'fail', message }
}
