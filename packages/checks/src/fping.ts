import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Failure } from './failure.ts'
import { FpingRun, FpingUnusable, type Series, type Waiting } from './fping-run.ts'
import type { PingReport } from './ping-report.ts'

export { FpingUnusable } from './fping-run.ts'

/** One check's share: so many packets to one address, which has been judged. */
export interface Echo extends Series {
  ip: string
  /** Milliseconds until the deadline. */
  timeout: number
}

/**
 * Checks that come within this time of the first share a process. A process costs as much as a hundred packets, so they
 * gather for longer the more processes are out already, but never for more than this share of a check's time.
 */
const gatherMs = 40
const processesAtFullPace = 4
const mostGatheringShare = 0.1
/**
 * What leaves at once must fit into the buffers of the socket and of whatever is in the way, and so must the answers: each
 * process is given those to all the others as well.
 */
const mostTargets = 100
const mostBytes = 65_536
const millisecondsEach = 0.2
const headerBytes = 48
/** Each release of fping has its own idea of the most; what is larger than this is rare. */
const largestPacket = 8192
/** An fping that is missing or not allowed is asked again after this long: somebody may have mended it. */
const lookAgainMs = 60_000

/**
 * Pings through fping, many addresses to a process. An address that did not answer all packets the last time is pinged
 * among its like: their processes live until the deadline, those of the others until the last answer.
 */
export class Fping {
  readonly #gathering = new Map<string, Waiting[]>()
  readonly #running = { sound: 0, suspect: 0 }
  #notBefore = 0
  readonly #suspects = new Set<string>()
  readonly #unusableUntil = { 4: 0, 6: 0 }
  #path: { value: string | undefined; there: boolean; until: number } | undefined

  /** Whether fping is there, takes packets of this size, and has not failed for a reason of its own lately. */
  usable(family: 4 | 6, size = 0): boolean {
    return size <= largestPacket && this.#unusableUntil[family] <= performance.now() && this.#isThere()
  }

  /**
   * Answers when every packet is accounted for, and at the abort of `signal` with what there is by then.
   * @throws {FpingUnusable} another way has to be found, also for the next minute
   * @throws {Failure} probe_resources, probe_permission, probe_network, connect_unreachable
   */
  async ping({ ip, timeout, ...series }: Echo, signal: AbortSignal): Promise<PingReport> {
    try {
      const report = await new Promise<PingReport>((resolve, reject: (error: Failure | FpingUnusable) => void) =>
        this.#gather(series, { ip, timeout, signal, resolve, reject }),
      )
      if (report.lossPercent === 0) this.#suspects.delete(ip)
      else this.#suspect(ip)
      return report
    } catch (error) {
      if (error instanceof FpingUnusable) this.#unusableUntil[series.family] = performance.now() + lookAgainMs
      throw error
    }
  }

  #gather(series: Series, one: Waiting): void {
    const kind = this.#suspects.has(one.ip) ? 'suspect' : 'sound'
    const key = [kind, series.family, series.count, series.size, series.gap].join(' ')
    const gathering = this.#gathering.get(key)
    if (gathering !== undefined) {
      gathering.push(one)
      return
    }
    this.#gathering.set(key, [one])
    const pause = gatherMs * Math.max(1, this.#running[kind] / processesAtFullPace)
    setTimeout(() => this.#start(kind, key, series), Math.min(pause, one.timeout * mostGatheringShare))
  }

  #start(kind: 'sound' | 'suspect', key: string, series: Series): void {
    const gathering = this.#gathering.get(key) ?? []
    const now = performance.now()
    const most = Math.max(1, Math.min(mostTargets, Math.floor(mostBytes / (series.size + headerBytes))))
    const ready = now < this.#notBefore ? [] : gathering.splice(0, most)
    if (ready.length > 0) this.#notBefore = now + ready.length * millisecondsEach
    if (gathering.length === 0) this.#gathering.delete(key)
    else setTimeout(() => this.#start(kind, key, series), Math.max(1, this.#notBefore - now))

    const inTime = ready.filter(({ signal }) => !signal.aborted)
    for (const { signal, reject } of ready) {
      if (signal.aborted) reject(new Failure('probe_resources', 'The probe was too busy to ping.'))
    }
    if (inTime.length === 0) return
    this.#running[kind]++
    new FpingRun(series, inTime, () => this.#running[kind]--)
  }

  #suspect(ip: string): void {
    // Forgetting them all now and then costs a process that lives a little longer.
    if (this.#suspects.size >= 100_000) this.#suspects.clear()
    this.#suspects.add(ip)
  }

  /** Looks where the system would, and remembers for a while. */
  #isThere(): boolean {
    const value = process.env.PATH
    if (this.#path === undefined || this.#path.value !== value || this.#path.until <= performance.now()) {
      const there = (value ?? '').split(delimiter).some(folder => folder !== '' && isExecutable(join(folder, 'fping')))
      this.#path = { value, there, until: performance.now() + lookAgainMs }
      this.#unusableUntil[4] = this.#unusableUntil[6] = 0
    }
    return this.#path.there
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
