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
  maxBytes: 1_000_000_000,
  maxAgeMs: 24 * 3600_000,
  segmentBytes: 1_000_000,
  segmentAgeMs: 600_000,
  syncMs: 1000,
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
 * Results on disk until the server has acknowledged them: append-only files, one JSON line a result, written in groups.
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
  /** What was last read of the backlog. */
  #read: { segment: Segment; records: SpoolRecord[] } | undefined
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

  /** {@link appendAll} for one. */
  async append(result: CheckResult): Promise<Spooled> {
    const [spooled] = await this.appendAll([result])
    return spooled as Spooled
  }

  /** Writes results; answers once no end of this process can lose them, or once the disk has refused them (see `trouble`). */
  async appendAll(results: CheckResult[]): Promise<Spooled[]> {
    const at = this.#now()
    const seqs: number[] = []
    const lines: string[] = []
    for (const result of results) {
      const seq = this.#nextSeq++
      seqs.push(seq)
      lines.push(`${JSON.stringify({ seq, at, result } satisfies SpoolRecord)}\n`)
      this.#claimed.add(seq)
    }
    this.#unwritten += seqs.length
    const segment = await this.#writer.append(seqs, lines.join(''))
    if (segment !== undefined) this.#unwritten -= seqs.length
    // A character outside ASCII is more bytes than this says; requests have room for that.
    return results.map((result, i) => ({
      seq: seqs[i] as number,
      result,
      bytes: (lines[i] as string).length,
      segment,
    }))
  }

  /** Claims the oldest results that nobody has claimed, up to `count` of one segment; empty when there are none. */
  async nextBacklog(count: number): Promise<Spooled[]> {
    for (const segment of this.#segments) {
      if (!this.#hasUnclaimed(segment)) continue
      const records = await this.#unclaimed(segment)
      // Pending but not in the file: the file was damaged from outside. Nothing can bring those back.
      if (records.length === 0) {
        this.#forgetUnclaimed(segment)
        continue
      }
      return records.slice(0, count).map(({ seq, result }) => {
        this.#claimed.add(seq)
        this.#backlog--
        return { seq, result, bytes: JSON.stringify(result).length + 1, segment }
      })
    }
    this.#read = undefined
    return []
  }

  /** These need not be sent again. */
  async acknowledge(batch: Spooled[]): Promise<void> {
    const touched = new Set<Segment>()
    for (const { seq, segment } of batch) {
      this.#claimed.delete(seq)
      if (segment === undefined) this.#unwritten--
      else if (segment.pending.delete(seq)) {
        segment.untold.push(seq)
        touched.add(segment)
      }
    }
    for (const segment of touched) {
      // The file that is being added to is told with the next group, and goes when it is closed.
      if (segment === this.#writer.active) continue
      if (segment.pending.size === 0) await this.#remove(segment)
      // A note that cannot be written costs a second sending of what the server knows already.
      else await writeAcknowledged(segment).catch(() => undefined)
    }
  }

  /** Gives claimed results back to the backlog; what only memory had is lost, and counted. */
  release(batch: Spooled[]): void {
    this.#read = undefined
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

  /** Read once, however many batches it is sent in; read again when something was given back meanwhile. */
  async #unclaimed(segment: Segment): Promise<SpoolRecord[]> {
    const unclaimed = ({ seq }: SpoolRecord) => segment.pending.has(seq) && !this.#claimed.has(seq)
    const kept = this.#read?.segment === segment ? this.#read.records.filter(unclaimed) : []
    const records = kept.length > 0 ? kept : (await this.#readPending(segment)).filter(unclaimed)
    this.#read = { segment, records }
    return records
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
