import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { sizeText } from '../backup/files.ts'
import type { Config } from '../config.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Connections of people, probes and exporters, files of a month of days, and what is under way. */
const filesWanted = 4096
const roomNeeded = 100_000_000
/** Of a disk that keeps up: each acknowledged result waits for it. */
const slowSyncMs = 25
const syncs = 15

export function node(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 19)) return ok('Node', version)
  return fail(
    'Node',
    `${version} is too old`,
    'npm ci installs one beside the programs; start them with bin/watchpost-server',
  )
}

export function files(limits = readLimits()): Finding {
  // The soft one is raised to it by Node.
  const limit = Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN)
  if (Number.isNaN(limit)) return ok('files', 'as many as wanted may be open')
  if (limit >= filesWanted) return ok('files', `${limit} may be open`)
  return warn('files', `${limit} may be open, ${filesWanted} are wanted`, 'raise ulimit -n (LimitNOFILE= of a unit)')
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}

/** File systems that something is to be known of, by the number that Linux gives them. */
const kinds: Record<number, { name: string; isNetwork?: true; loss?: { message: string; mend: string } }> = {
  61267: { name: 'ext4' },
  1481003842: { name: 'xfs' },
  2435016766: { name: 'btrfs' },
  801189825: { name: 'zfs' },
  26985: { name: 'NFS', isNetwork: true },
  20859: { name: 'SMB', isNetwork: true },
  4283649346: { name: 'CIFS', isNetwork: true },
  4266872130: { name: 'SMB2', isNetwork: true },
  12805120: { name: 'Ceph', isNetwork: true },
  16914839: { name: '9P', isNetwork: true },
  1702057286: { name: 'FUSE', isNetwork: true },
  16914836: {
    name: 'tmpfs',
    loss: { message: 'its content is lost when the host restarts', mend: 'name a directory on a disk' },
  },
  2035054128: {
    name: 'overlayfs',
    loss: { message: 'its content is lost with the container', mend: 'mount a volume there' },
  },
}

/** Whether the data directory can be used, what keeps it, and how soon what is written is safe. */
export async function dataDir({ dataDir, telemetry }: Config): Promise<Finding[]> {
  const dir = resolve(dataDir)
  let at = dir
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
  const times = tryWriting(at)
  if (typeof times === 'string') {
    const mend = 'run as the user of the server, or name another with --data-dir'
    return [fail('data', `${at} cannot be written (${times})`, mend)]
  }
  const findings = [at === dir ? ownership(dir) : ok('data', `${dir} is not there yet, and can be made`)]
  const { type, bavail, bsize } = await statfs(at)
  findings.push(fileSystem(type), space(bavail * bsize, telemetry.freeMb), sync(times))
  return findings
}

function ownership(dir: string): Finding {
  const { mode } = statSync(dir)
  if ((mode & 0o077) === 0) return ok('data', `${dir} can be written, and read by its user only`)
  return warn('data', `${dir} may be entered by others (mode ${(mode & 0o777).toString(8)})`, `chmod 700 ${dir}`)
}

/** @param type as `statfs` has it */
export function fileSystem(type: number): Finding {
  const what = 'disk'
  const { name, isNetwork, loss } = kinds[type >>> 0] ?? { name: `file system 0x${(type >>> 0).toString(16)}` }
  if (loss !== undefined) return warn(what, `${name}: ${loss.message}`, loss.mend)
  if (!isNetwork) return ok(what, name)
  const mend = 'name a directory on a disk of this host, or use PostgreSQL with --database-url'
  return warn(what, `${name} may be a network file system, whose locks and syncs SQLite cannot rely on`, mend)
}

/** @param telemetryFreeMb what telemetry leaves free, 0 for nothing */
export function space(free: number, telemetryFreeMb: number): Finding {
  const what = 'space'
  const message = `${sizeText(free)} free`
  const mend = 'make room, or keep telemetry for fewer days (WATCHPOST_TELEMETRY_DAYS)'
  if (free < roomNeeded) return fail(what, message, mend)
  const floor = telemetryFreeMb * 1_048_576
  if (free < floor) return fail(what, `${message}, and telemetry is refused below ${sizeText(floor)}`, mend)
  return free < 2 * floor
    ? warn(what, `${message}; telemetry is refused below ${sizeText(floor)}`, mend)
    : ok(what, message)
}

/** @param times of writing a page and having it on the disk, ms */
export function sync(times: number[]): Finding {
  const sorted = times.toSorted((a, b) => a - b)
  const [median, worst] = [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0]
  const message = `a write is on the disk after ${median.toFixed(1)} ms, ${worst.toFixed(1)} ms at worst`
  if (median <= slowSyncMs) return ok('sync', message)
  return warn('sync', message, 'name a faster disk with --data-dir: results wait for it before they are acknowledged')
}

/** @returns how long writes took, or why there can be none */
function tryWriting(dir: string): number[] | string {
  const path = join(dir, `.doctor-${process.pid}`)
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      return Array.from({ length: syncs }, (_, place) => {
        const before = performance.now()
        writeSync(file, Buffer.alloc(4096, place), 0, 4096, place * 4096)
        fsyncSync(file)
        return performance.now() - before
      })
    } finally {
      closeSync(file)
      rmSync(path)
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message
  }
}
