import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import * as os from 'node:os'
import { join } from 'node:path'
import type { Heartbeat } from '@watchpost/contract'

type Facts = NonNullable<Heartbeat['host']>

export interface HostOptions {
  /** Directory whose file system keeps the spool. */
  spoolDir: string
  /** Where Linux tells of itself; elsewhere in tests. */
  proc?: string
  /** Limits of the container, cgroup v2; there is no such limit on the host itself. */
  cgroup?: string
  /** Processor time is told of no shorter time than this, ms: the start of a process is all work. */
  leastMs?: number
}

/** Processor time so far: of which this much was work; any unit. */
interface CpuTime {
  busy: number
  all: number
}

/**
 * How the machine is, or the container where there is one: what it may use counts, not what the machine has. Read in a
 * moment, a few times a minute; what cannot be read is left out.
 */
export class HostReader {
  readonly #spoolDir: string
  readonly #proc: string
  readonly #cgroup: string
  readonly #leastMs: number
  #before: CpuTime
  #beforeAt = performance.now()

  constructor({ spoolDir, proc = '/proc', cgroup = '/sys/fs/cgroup', leastMs = 1000 }: HostOptions) {
    this.#spoolDir = spoolDir
    this.#proc = proc
    this.#cgroup = cgroup
    this.#leastMs = leastMs
    this.#before = this.#cpuTime()
  }

  async read(): Promise<Facts> {
    const [load_1, load_5, load_15] = os.loadavg() as [number, number, number]
    const [disk, spool] = await Promise.all([room('/'), room(this.#spoolDir)])
    return {
      hostname: os.hostname().slice(0, 255),
      platform: `${os.platform()} ${os.arch()} ${os.release()}`.slice(0, 255),
      uptime_s: Math.round(os.uptime()),
      cpu_count: this.#cpuLimit() ?? os.availableParallelism(),
      ...this.#cpu(),
      // Windows has no load average, and says 0.
      ...(os.platform() === 'win32' ? {} : { load_1, load_5, load_15 }),
      ...this.#memory(),
      ...(disk && { disk_total_bytes: disk.total, disk_used_bytes: disk.used }),
      ...(spool && { spool_total_bytes: spool.total, spool_used_bytes: spool.used }),
    }
  }

  /** Since the reading before. */
  #cpu(): Pick<Facts, 'cpu_percent'> {
    if (performance.now() - this.#beforeAt < this.#leastMs) return {}
    this.#beforeAt = performance.now()
    const before = this.#before
    this.#before = this.#cpuTime()
    const all = this.#before.all - before.all
    if (all <= 0) return {}
    return { cpu_percent: percent((this.#before.busy - before.busy) / all) }
  }

  #cpuTime(): CpuTime {
    const limit = this.#cpuLimit()
    const used = Number(/^usage_usec (\d+)/m.exec(this.#read(this.#cgroup, 'cpu.stat'))?.[1] ?? Number.NaN)
    if (limit !== undefined && !Number.isNaN(used)) return { busy: used, all: performance.now() * 1000 * limit }
    const time = { busy: 0, all: 0 }
    for (const { times } of os.cpus()) {
      const sum = times.user + times.nice + times.sys + times.irq
      time.busy += sum
      time.all += sum + times.idle
    }
    return time
  }

  /** Processors the container may use, where there is a limit. */
  #cpuLimit(): number | undefined {
    const [quota, period] = this.#read(this.#cgroup, 'cpu.max').trim().split(' ').map(Number)
    return quota && period ? Math.round((100 * quota) / period) / 100 : undefined
  }

  #memory(): Pick<Facts, 'memory_total_bytes' | 'memory_used_bytes' | 'memory_available_bytes'> {
    const all = os.totalmem()
    const free = Number(/^MemAvailable:\s+(\d+) kB/m.exec(this.#read(this.#proc, 'meminfo'))?.[1] ?? Number.NaN) * 1024
    const limit = Number.parseInt(this.#read(this.#cgroup, 'memory.max'), 10)
    const current = Number.parseInt(this.#read(this.#cgroup, 'memory.current'), 10)
    // Files that were read are kept while there is room, and are no need.
    const cache = Number(/^inactive_file (\d+)/m.exec(this.#read(this.#cgroup, 'memory.stat'))?.[1] ?? 0)
    const contained = limit > 0 && limit < all && current >= 0
    const total = contained ? limit : all
    const used = contained ? Math.max(0, current - cache) : all - (Number.isNaN(free) ? os.freemem() : free)
    const bounded = Math.min(total, Math.max(0, used))
    return { memory_total_bytes: total, memory_used_bytes: bounded, memory_available_bytes: total - bounded }
  }

  #read(...path: string[]): string {
    try {
      return readFileSync(join(...path), 'utf8')
    } catch {
      return ''
    }
  }
}

/** As `df` counts: what only root may use is not there. Undefined where it cannot be read. */
async function room(path: string): Promise<{ total: number; used: number } | undefined> {
  try {
    const { blocks, bfree, bavail, bsize } = await statfs(path)
    const used = (blocks - bfree) * bsize
    return { total: used + bavail * bsize, used }
  } catch {
    return undefined
  }
}

function percent(share: number): number {
  return Math.min(100, Math.max(0, Math.round(share * 1000) / 10))
}
