import { existsSync } from 'node:fs'
import { mkdir, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { CheckResult } from '@watchpost/contract'
import { lockDirectory } from './spool-lock.ts'
import {
  openSegments,
  probeWriting,
  readPending,
  type Segment,
  type SpoolRecord,
  writeAcknowledged,
} from './spool-segment.ts'
import { type SegmentLimits, SegmentWriter } from './spool-writer.ts'

/** The spool directory cannot be used; the message says which and why, in one line. */
export class SpoolError extends Error {
  override name = 'SpoolError'
}

/** Another probe has the spool directory. */
export class SpoolInUseError extends SpoolError {}

export interface SpoolLimits extends SegmentLimits {
  maxBytes: number
  maxAgeMs: number
}

const defaultLimits: SpoolLimits = {
  maxBytes: 100_000_000,
  maxAgeMs: 24 * 3600_000,
  segmentBytes: 1_000_000,
  segmentAgeMs: 600_000,
}

/** A result in the spool, claimed by whoever is to send it. */
export interface Spooled {
  seq: number
  result: CheckResult
  /** Size as JSON, in bytes. */
  bytes: number
  /** Where it lies on disk; undefined when the disk refused it and only memory has it. */
  segment: Segment | undefined
}

/**
 * Results on disk until the server has acknowledged them: append-only files, one JSON line a result, synced in groups.
 * Appended results belong to the caller ("claimed") until {@link acknowledge} or {@link release}; the others are
 * the backlog, read oldest first. Beyond the limits the oldest go, counted in `dropped`.
 */
export class Spool {
  /** Results given up because the spool was full or they were too old. */
  dropped = 0
  readonly #limits: SpoolLimits
  readonly #now: () => number
  readonly #unlock: () => void
  readonly #segments: Segment[]
  readonly #claimed = new Set<number>()
  #nextSeq: number
  readonly #writer: SegmentWriter
  /** Why the backlog could not be read. */
  #unreadable: Error | undefined
  /** Claims that only memory has. */
  #unwritten = 0
  /** Results on disk that nobody has claimed. */
  #backlog: number

  private constructor(
    dir: string,
    limits: SpoolLimits,
    now: () => number,
    unlock: () => void,
    segments: Segment[],
    nextSeq: number,
  ) {
    this.#limits = limits
    this.#now = now
    this.#unlock = unlock
    this.#segments = segments
    this.#nextSeq = nextSeq
    this.#backlog = this.size
    this.#writer = new SegmentWriter({
      ...limits,
      dir,
      now,
      nextNumber: () => this.#nextSeq++,
      onOpened: segment => void this.#segments.push(segment),
      onWritten: () => this.#prune(),
      onSealed: async segment => {
        if (segment.pending.size === 0) await this.#remove(segment)
      },
    })
  }

  /**
   * Opens a directory, made if missing, with what a former process left in it.
   * @throws {SpoolError} when it cannot be written, or another probe uses it
   */
  static async open(dir: string, limits: Partial<SpoolLimits> = {}, now: () => number = Date.now): Promise<Spool> {
    let unlock: (() => void) | undefined
    try {
      // Recursive only where it is needed: it never returns where a parent is there and takes no directories, as in /proc.
      if (!existsSync(dir)) await mkdir(dir, { recursive: !existsSync(dirname(resolve(dir))), mode: 0o700 })
      unlock = await lockDirectory(dir)
      if (unlock === undefined)
        throw new SpoolInUseError(`Spool directory ${dir} is used by another probe; give each its own`)
      await probeWriting(dir)
      const { segments, nextSeq } = await openSegments(dir)
      const spool = new Spool(dir, { ...defaultLimits, ...limits }, now, unlock, segments, nextSeq)
      await spool.#prune()
      return spool
    } catch (error) {
      unlock?.()
      if (error instanceof SpoolError) throw error
      throw new SpoolError(`Spool directory ${dir} cannot be used: ${(error as Error).message}`, { cause: error })
    }
  }

  /** Why the disk does not do what it should; undefined while it does. */
  get trouble(): Error | undefined {
    return this.#writer.trouble ?? this.#unreadable
  }

  /** Results not yet acknowledged, on disk and in memory. */
  get size(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.pending.size, this.#unwritten)
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
  }

  /** Whether the backlog has something to send. */
  get hasBacklog(): boolean {
    return this.#backlog > 0
  }

  /** Writes a result; answers once it is durable, or once the disk has refused it (see `trouble`). Never throws. */
  async append(result: CheckResult): Promise<Spooled> {
    const seq = this.#nextSeq++
    const line = `${JSON.stringify({ seq, at: this.#now(), result } satisfies SpoolRecord)}\n`
    this.#claimed.add(seq)
    this.#unwritten++
    const segment = await this.#writer.append(seq, line)
    if (segment !== undefined) this.#unwritten--
    return { seq, result, bytes: Buffer.byteLength(line), segment }
  }

  /** Claims the oldest results that nobody has claimed, up to `count` of one segment; empty when there are none. */
  async nextBacklog(count: number): Promise<Spooled[]> {
    for (const segment of this.#segments) {
      if (!this.#hasUnclaimed(segment)) continue
      const records = (await this.#readPending(segment)).filter(record => !this.#claimed.has(record.seq))
      // Pending but not in the file: the file was damaged from outside. Nothing can bring those back.
      if (records.length === 0) {
        this.#forgetUnclaimed(segment)
        continue
      }
      return records.slice(0, count).map(({ seq, result }) => {
        this.#claimed.add(seq)
        this.#backlog--
        return { seq, result, bytes: Buffer.byteLength(JSON.stringify(result)) + 1, segment }
      })
    }
    return []
  }

  /** These need not be sent again. */
  async acknowledge(batch: Spooled[]): Promise<void> {
    const bySegment = new Map<Segment, number[]>()
    for (const { seq, segment } of batch) {
      this.#claimed.delete(seq)
      if (segment === undefined) this.#unwritten--
      else if (segment.pending.delete(seq)) bySegment.set(segment, [...(bySegment.get(segment) ?? []), seq])
    }
    for (const [segment, seqs] of bySegment) {
      if (segment.pending.size === 0 && segment !== this.#writer.active) await this.#remove(segment)
      // A note that cannot be written costs a second sending of what the server knows already.
      else await writeAcknowledged(segment, seqs).catch(() => undefined)
    }
  }

  /** Gives claimed results back to the backlog; what only memory had is lost, and counted. */
  release(batch: Spooled[]): void {
    for (const { seq, segment } of batch) {
      this.#claimed.delete(seq)
      if (segment !== undefined && this.#segments.includes(segment)) {
        this.#backlog++
        continue
      }
      if (segment === undefined) this.#unwritten--
      this.dropped++
    }
  }

  /** Finishes writing and closes the files; an empty spool leaves no file behind. */
  async close(): Promise<void> {
    await this.#writer.close()
    this.#unlock()
  }

  async #prune(): Promise<void> {
    const { maxBytes, maxAgeMs } = this.#limits
    let bytes = this.bytes
    for (const segment of [...this.#segments]) {
      if (bytes <= maxBytes && this.#now() - segment.lastAt <= maxAgeMs) return
      if (segment === this.#writer.active) return
      bytes -= segment.bytes
      this.#forgetUnclaimed(segment)
      await this.#remove(segment)
    }
  }

  async #readPending(segment: Segment): Promise<SpoolRecord[]> {
    try {
      const records = await readPending(segment)
      this.#unreadable = undefined
      return records
    } catch (error) {
      this.#unreadable = error as Error
      return []
    }
  }

  #hasUnclaimed(segment: Segment): boolean {
    for (const seq of segment.pending) if (!this.#claimed.has(seq)) return true
    return false
  }

  /** Gives up a segment's backlog. Claimed results are in memory and may yet arrive. */
  #forgetUnclaimed(segment: Segment): void {
    for (const seq of [...segment.pending]) {
      if (this.#claimed.has(seq)) continue
      segment.pending.delete(seq)
      this.#backlog--
      this.dropped++
    }
  }

  async #remove(segment: Segment): Promise<void> {
    const index = this.#segments.indexOf(segment)
    if (index >= 0) this.#segments.splice(index, 1)
    await unlink(segment.path).catch(() => undefined)
  }
}
