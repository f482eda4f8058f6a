import { Failure } from './failure.ts'
import { type FpingLine, parseLine } from './fping-line.ts'
import { FpingShell } from './fping-shell.ts'
import { type PingReport, pingReport } from './ping-report.ts'
import { socketFailure } from './socket-failure.ts'

/** What the packets of one process have in common. */
export interface Series {
  family: 4 | 6
  count: number
  /** Bytes of data in a packet. */
  size: number
  /** Milliseconds between two packets to one address. */
  gap: number
}

/** One check that waits for the answers of one address. */
export interface Waiting {
  ip: string
  /** Milliseconds until its deadline, which `signal` announces. */
  timeout: number
  signal: AbortSignal
  resolve(report: PingReport): void
  reject(error: Failure | FpingUnusable): void
}

/** fping is missing or may not do its work: another way has to be found. */
export class FpingUnusable extends Error {
  override name = 'FpingUnusable'
}

/** An answer that comes this much after the others is lost: the check does not wait for it until its deadline. */
const lingerMs = 1000
const lingerRoundTrips = 3

interface Open extends Waiting {
  answers: Map<number, number>
  over: Set<number>
  unsent: string | undefined
  unsentCount: number
  remark: string | undefined
  onAbort: () => void
}

/** One fping process and those who wait for it. Each is answered when its own packets are accounted for. */
export class FpingRun {
  readonly #series: Series
  readonly #open = new Map<string, Open[]>()
  readonly #process: FpingShell
  readonly #onEnd: () => void
  #waiting: number
  #trouble = ''
  #allSentAt = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #ended = false

  /** @param onEnd called once, when the process is over or not needed any more */
  constructor(series: Series, waiting: readonly Waiting[], onEnd: () => void) {
    this.#series = series
    this.#onEnd = onEnd
    this.#waiting = waiting.length
    for (const one of waiting) this.#admit(one)
    this.#process = FpingShell.run(argumentsFor(series, waiting), {
      line: text => this.#heed(parseLine(text)),
      end: how => (typeof how === 'number' ? this.#closed(how) : this.#failed(how)),
    })
    const sendingMs = (series.count - 1) * series.gap
    this.#allSentAt = performance.now() + sendingMs
    this.#timer = setTimeout(() => this.#linger(), sendingMs + lingerMs)
  }

  #admit(waiting: Waiting): void {
    const onAbort = () => {
      // What the process has said until now may not have been read yet, if this one stood still.
      setImmediate(() => this.#settle(open))
    }
    const open = {
      ...waiting,
      answers: new Map(),
      over: new Set<number>(),
      unsent: undefined,
      unsentCount: 0,
      remark: undefined,
      onAbort,
    }
    const those = this.#open.get(open.ip)
    if (those === undefined) this.#open.set(open.ip, [open])
    else those.push(open)
    if (open.signal.aborted) onAbort()
    else open.signal.addEventListener('abort', onAbort, { once: true })
  }

  #heed(line: FpingLine): void {
    if (line.is === 'nothing') return
    if (line.is === 'trouble') {
      if (this.#trouble.length < 1000) this.#trouble += `${line.message}\n`
      return
    }
    for (const open of [...(this.#open.get(line.ip) ?? [])]) {
      if (line.is === 'remark') open.remark = line.message
      else if (line.is === 'unsent') {
        open.unsent = line.message
        open.unsentCount++
      } else open.over.add(line.index)
      if (line.is === 'answer') open.answers.set(line.index, line.milliseconds)
      if (open.over.size + open.unsentCount >= this.#series.count) this.#settle(open)
    }
  }

  /** Ends those who have had answers but not all of them, once the missing ones are late beyond what is usual there. */
  #linger(): void {
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const open of [...this.#open.values()].flat()) {
      if (open.answers.size === 0) continue
      const until = this.#allSentAt + Math.max(lingerMs, lingerRoundTrips * Math.max(...open.answers.values()))
      if (until <= now) this.#settle(open)
      else next = Math.min(next, until)
    }
    if (this.#waiting > 0) this.#timer = setTimeout(() => this.#linger(), Math.min(lingerMs, Math.max(1, next - now)))
  }

  /** Answers one of those who wait, with what there is. */
  #settle(open: Open): void {
    if (!this.#dismiss(open)) return
    if (open.answers.size === 0 && open.unsent !== undefined) open.reject(sendFailure(open.unsent, open.ip))
    else {
      const report = pingReport([...open.answers.values()], this.#series.count)
      open.resolve(open.remark === undefined ? report : { ...report, remark: open.remark })
    }
    if (this.#waiting === 0) this.#end()
  }

  #dismiss(open: Open): boolean {
    const those = this.#open.get(open.ip)
    const at = those?.indexOf(open) ?? -1
    if (those === undefined || at < 0) return false
    those.splice(at, 1)
    if (those.length === 0) this.#open.delete(open.ip)
    this.#waiting--
    open.signal.removeEventListener('abort', open.onAbort)
    return true
  }

  #closed(code: number): void {
    const open = [...this.#open.values()].flat()
    const nobodyHeard = open.length > 0 && open.every(({ over, unsent }) => over.size === 0 && unsent === undefined)
    if (nobodyHeard) {
      this.#rejectAll(new FpingUnusable(this.#trouble.split('\n')[0] || `fping ended with ${code}`))
    } else for (const one of open) this.#settle(one)
    this.#end()
  }

  #failed(error: Error): void {
    this.#rejectAll(socketFailure(error, 'ping'))
    this.#end()
  }

  #rejectAll(error: Failure | FpingUnusable): void {
    for (const open of [...this.#open.values()].flat()) if (this.#dismiss(open)) open.reject(error)
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#timer)
    this.#process?.kill()
    this.#onEnd()
  }
}

function argumentsFor({ family, count, size, gap }: Series, waiting: readonly Waiting[]): string {
  // It may be waited for longer than some can wait: those leave by their own deadline.
  const timeout = Math.max(...waiting.map(one => one.timeout))
  const numbers = { '-C': count, '-b': size, '-p': gap, '-t': Math.ceil(timeout), '-i': 0, '-r': 0 }
  const flags = Object.entries(numbers).map(([flag, value]) => `${flag} ${value}`)
  const addresses = new Set(waiting.map(one => one.ip))
  return [`-${family}`, ...flags, '--', ...addresses].join(' ')
}

const sendCodes: [RegExp, string][] = [
  [/network is unreachable/i, 'ENETUNREACH'],
  [/no route to host/i, 'EHOSTUNREACH'],
  [/network is down/i, 'ENETDOWN'],
  [/no buffer space/i, 'ENOBUFS'],
  [/cannot assign requested address/i, 'EADDRNOTAVAIL'],
]

function sendFailure(message: string, ip: string): Failure {
  const code = sendCodes.find(([pattern]) => pattern.test(message))?.[1]
  if (code !== undefined) return socketFailure(Object.assign(new Error(message), { code }), ip)
  if (/not permitted|permission denied/i.test(message)) {
    return new Failure('probe_permission', `The probe may not ping ${ip}: look at its firewall.`)
  }
  return new Failure('probe_internal', `A packet to ${ip} could not be sent: ${message}.`)
}
