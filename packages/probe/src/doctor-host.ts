import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pinger as pingerOf } from '@watchpost/checks'
import type { DoctorOptions, Finding } from './doctor.ts'

/** A spool of a day's results fits into this. */
const roomWanted = 500_000_000
const roomNeeded = 50_000_000
/** What a probe has open besides its checks: the server, the spool, programs and their pipes. */
const filesBesides = 100

/** Really pings the loopback address of the family. */
export async function ping({ runCheck }: DoctorOptions, family: 4 | 6): Promise<Finding> {
  const what = family === 4 ? 'ping' : 'ping6'
  const target = family === 4 ? '127.0.0.1' : '::1'
  const check = { type: 'ping', target, method: 'get', timeout: 5, ssl_verify: true } as const
  const { status, error_message } = await runCheck({ ...check, options: { count: 1 } })
  if (status === 'online') return { what, status: 'ok', message: `${target} answers` }
  const mend =
    family === 6
      ? 'enable IPv6 on this host (net.ipv6.conf.all.disable_ipv6=0), or watch no IPv6 targets from here'
      : "install fping or ping (Debian: apt install fping); in a container, allow it with --cap-add NET_RAW or sysctl net.ipv4.ping_group_range='0 2147483647'"
  const message = `${error_message ?? 'no answer'}; mend: ${mend}`
  return { what, status: family === 6 ? 'warn' : 'fail', message }
}

/** Which program pings: with fping many checks share a process. */
export async function pinger(): Promise<Finding> {
  const which = pingerOf()
  if (which === 'fping') {
    const version = await outputOf('fping', ['-v']).catch(() => '')
    return { what: 'pinger', status: 'ok', message: version.split('\n')[0]?.replace(': Version', '') || 'fping' }
  }
  const mend = 'install fping (Debian: apt install fping): it pings hundreds of hosts for the price of one'
  return { what: 'pinger', status: 'warn', message: `no fping, so each ping is a process of its own; mend: ${mend}` }
}

function outputOf(program: string, args: string[]): Promise<string> {
  return new Promise(done => {
    execFile(program, args, { timeout: 3000 }, (_, stdout) => done(stdout.trim()))
  })
}

/** Whether there is a way to the IPv6 internet: asks the routing table, sends nothing. */
export async function ipv6Route(): Promise<Finding> {
  const socket = createSocket('udp6')
  const error = await new Promise<Error | undefined>(done => {
    socket.once('error', done)
    socket.once('connect', () => done(undefined))
    socket.connect(53, '2001:4860:4860::8888')
  })
  socket.close()
  if (error === undefined) return { what: 'IPv6', status: 'ok', message: 'there is a route' }
  const mend = 'give this host IPv6, or watch IPv6 targets from another probe'
  return { what: 'IPv6', status: 'warn', message: `no route (${(error as NodeJS.ErrnoException).code}); mend: ${mend}` }
}

/** Room for results while the server is away. */
export async function space(spoolDir: string): Promise<Finding> {
  let dir = resolve(spoolDir)
  while (!existsSync(dir) && dirname(dir) !== dir) dir = dirname(dir)
  const { bavail, bsize } = await statfs(dir)
  const free = bavail * bsize
  const message = `${(free / 1e9).toFixed(1)} GB free for the spool`
  if (free >= roomWanted) return { what: 'space', status: 'ok', message }
  const mend = 'make room, or name another disk with --spool-dir'
  return { what: 'space', status: free < roomNeeded ? 'fail' : 'warn', message: `${message}; mend: ${mend}` }
}

/** Whether every check that runs at once can have its files. */
export function files(concurrency: number, limits = readLimits()): Finding {
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN)
  // A check has a connection, and another for a moment while it asks for a name.
  const wanted = 2 * concurrency + filesBesides
  if (Number.isNaN(limit)) return { what: 'files', status: 'ok', message: 'as many as wanted' }
  if (limit >= wanted) return { what: 'files', status: 'ok', message: `${limit} may be open, ${wanted} are enough` }
  const mend = 'raise ulimit -n (LimitNOFILE= of a unit), or lower --concurrency'
  const message = `${limit} may be open, ${concurrency} checks at once want ${wanted}; mend: ${mend}`
  return { what: 'files', status: 'fail', message }
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
