import type { OutcomeStatus, Timings } from '@watchpost/contract'
import { ByteReader, ByteWriter } from './bytes.ts'
import { readPhases, writePhases } from './phases.ts'

/**
 * Whose words a run id is: `named`, made by `runId` from when it was due; `given`, none was sent, and one is made from
 * the time of the check; `foreign`, any other text, which is kept with the evidence.
 */
export const runKinds = ['named', 'given', 'foreign'] as const
export type RunKind = (typeof runKinds)[number]

/** One check as its monitor's history keeps it. What is long or rare is apart, in the evidence. */
export interface KeptCheck {
  /** Epoch ms. */
  checked_at: number
  status: OutcomeStatus
  /** Whole microseconds. */
  response_us: number | null
  probe_id: number
  run: RunKind
  /** When a named run was due; otherwise the time of the check. */
  due_at: number
  /** With the time of the check it names the check within its monitor. */
  nonce: number
  /** Whether there is a row of evidence: run id, error, timings, details. */
  evidence: boolean
  /** Of some successes: where the time went. */
  timings?: Timings
}

/** How a check's status is stored: two bits. */
const statuses = ['offline', 'online', 'error'] as const satisfies readonly OutcomeStatus[]

const statusBits = 0b0000_0011
const runShift = 2
const timed = 0b0001_0000
const sameProbe = 0b0010_0000
const withEvidence = 0b0100_0000
const withPhases = 0b1000_0000

/** Checks of one block: more save little, and the open block is written with its monitor's state. */
export const checksPerBlock = 64

/**
 * Checks of one monitor and one UTC day, one after another as they came in: about ten bytes each. Every check is told
 * by how it differs from the one before.
 */
export class CheckBlock {
  count = 0
  firstAt = Number.POSITIVE_INFINITY
  private lastAt = 0
  private step = 0
  private probe = 0
  private readonly writer: ByteWriter

  constructor(bytes?: Uint8Array) {
    this.writer = new ByteWriter(bytes === undefined ? 48 : bytes.length + 48)
    if (bytes === undefined) return
    for (const check of decodeBlock(bytes)) this.follow(check)
    this.writer.bytes.set(bytes)
    this.writer.length = bytes.length
  }

  /** The block so far; the bytes are shared. */
  bytes(): Uint8Array {
    return this.writer.view()
  }

  append(check: KeptCheck): void {
    const { writer } = this
    const head =
      statuses.indexOf(check.status) |
      (runKinds.indexOf(check.run) << runShift) |
      (check.response_us === null ? 0 : timed) |
      (check.probe_id === this.probe ? sameProbe : 0) |
      (check.evidence ? withEvidence : 0) |
      (check.timings === undefined ? 0 : withPhases)
    writer.byte(head)
    const step = check.checked_at - this.lastAt
    writer.signed(step - this.step)
    if (check.response_us !== null) writer.varint(check.response_us)
    if (check.probe_id !== this.probe) writer.varint(check.probe_id)
    if (check.run === 'named') writer.signed(check.checked_at - check.due_at)
    writer.short(check.nonce)
    if (check.timings !== undefined) writePhases(writer, check.timings)
    this.follow(check)
  }

  private follow(check: KeptCheck): void {
    // The first is told from the epoch: that is no step to expect again.
    this.step = this.count === 0 ? 0 : check.checked_at - this.lastAt
    this.lastAt = check.checked_at
    this.probe = check.probe_id
    this.firstAt = Math.min(this.firstAt, check.checked_at)
    this.count++
  }
}

/** The checks of a block, in the order they came in. @throws {RangeError} for bytes that are no block */
export function decodeBlock(bytes: Uint8Array): KeptCheck[] {
  const reader = new ByteReader(bytes)
  const checks: KeptCheck[] = []
  let checked_at = 0
  let step = 0
  let probe_id = 0
  while (!reader.done) {
    const head = reader.byte()
    const status = statuses[head & statusBits]
    const run = runKinds[(head >> runShift) & 0b11]
    if (status === undefined || run === undefined) throw new RangeError('the bytes are no block of checks')
    const next = step + reader.signed()
    checked_at += next
    step = checks.length === 0 ? 0 : next
    const response_us = head & timed ? reader.varint() : null
    if (!(head & sameProbe)) probe_id = reader.varint()
    const due_at = run === 'named' ? checked_at - reader.signed() : checked_at
    const nonce = reader.short()
    checks.push({
      checked_at,
      status,
      response_us,
      probe_id,
      run,
      due_at,
      nonce,
      evidence: (head & withEvidence) !== 0,
      ...(head & withPhases ? { timings: readPhases(reader) } : {}),
    })
  }
  return checks
}
