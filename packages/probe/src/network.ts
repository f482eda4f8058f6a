import { connect } from 'node:net'
import type { ErrorKind, Outcome } from '@watchpost/contract'
import type { Address } from './config.ts'

/** Failures that a probe without a network sees whatever the target does. */
const networkKinds: ReadonlySet<ErrorKind | null> = new Set<ErrorKind>([
  'timeout',
  'connect_timeout',
  'connect_unreachable',
  'dns_timeout',
  'dns_servfail',
  'first_byte_timeout',
  'packet_loss',
])
/** Without witnesses of its own a probe asks the control plane, but only once so many monitors have failed in a row. */
const manyMonitors = 3

export interface NetworkOptions {
  /** Who says whether this probe has a network; empty: the control plane does. */
  witnesses: Address[]
  server: Address
  /** Monitors held: where there are only a few, these few are many. */
  held: () => number
  /** A witness is given this long, and its answer holds as long. */
  patienceMs?: number
  now?: () => number
}

/** Whether an outcome is one that a probe without a network would have, too. */
export function isSuspect({ status, error_kind }: Outcome): boolean {
  return status === 'offline' && networkKinds.has(error_kind)
}

/** Whether suspect failures are enough to ask: with witnesses one, without as many monitors as cannot be chance. */
export function mustAsk(failing: number, held: number, witnesses: number): boolean {
  return failing >= (witnesses > 0 ? 1 : Math.max(1, Math.min(manyMonitors, held)))
}

/**
 * Tells a target that does not answer from a probe that has lost its network: when none of its witnesses answers either,
 * the failure is the probe's own, and no target's.
 */
export class Network {
  readonly #options: NetworkOptions
  readonly #asked: Address[]
  readonly #patienceMs: number
  readonly #now: () => number
  /** Monitors that failed since anything was last seen to answer. */
  readonly #failing = new Set<number>()
  #answer: Promise<boolean> | undefined
  /** Undefined while the question is open. */
  #answeredAt: number | undefined

  constructor(options: NetworkOptions) {
    this.#options = options
    this.#asked = options.witnesses.length > 0 ? options.witnesses : [options.server]
    this.#patienceMs = options.patienceMs ?? 2000
    this.#now = options.now ?? (() => performance.now())
  }

  /** The outcome, or the probe's own error in its place when this probe has no network. */
  judge(monitorId: number, outcome: Outcome): Outcome | Promise<Outcome> {
    if (!isSuspect(outcome)) {
      // A guard's or a local resolver's word needs no network; an answer from the target does.
      if (outcome.status === 'online' || outcome.response_time_ms !== null) this.#failing.clear()
      return outcome
    }
    this.#failing.add(monitorId)
    const { witnesses, held } = this.#options
    if (!mustAsk(this.#failing.size, held(), witnesses.length)) return outcome
    return this.#isAlive().then(alive => (alive ? outcome : this.#ownTrouble(outcome)))
  }

  #ownTrouble(outcome: Outcome): Outcome {
    const { witnesses } = this.#options
    const silent =
      witnesses.length > 0
        ? `none of its ${witnesses.length} witnesses answers`
        : 'the control plane does not answer either'
    return {
      ...outcome,
      status: 'error',
      response_time_ms: null,
      error_kind: 'probe_network',
      error_message: `This probe has no network: ${silent}. (${outcome.error_message ?? outcome.error_kind})`,
    }
  }

  /** Asked once for all that fail at about the same time. */
  #isAlive(): Promise<boolean> {
    const isOpen = this.#answeredAt === undefined
    if (this.#answer !== undefined && (isOpen || this.#now() - (this.#answeredAt ?? 0) < this.#patienceMs / 2))
      return this.#answer
    this.#answeredAt = undefined
    const answer = Promise.any(this.#asked.map(address => answers(address, this.#patienceMs))).then(
      () => true,
      () => false,
    )
    this.#answer = answer
    void answer.then(() => {
      this.#answeredAt = this.#now()
    })
    return answer
  }
}

/** @throws when nobody is heard; a refusal is an answer, too */
function answers({ host, port }: Address, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    const timer = setTimeout(() => end(() => reject(new Error('no answer in time'))), patienceMs)
    const end = (tell: () => void) => {
      clearTimeout(timer)
      socket.destroy()
      tell()
    }
    socket.once('connect', () => end(resolve))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end(() => (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET' ? resolve() : reject(error))),
    )
  })
}
