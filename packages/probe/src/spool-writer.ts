import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { newSegment, type Segment, syncDirectory, takeAcknowledged, writeAcknowledged } from './spool-segment.ts'

export interface SegmentLimits {
  /** A segment is closed at this size, or this long after its first result. */
  segmentBytes: number
  segmentAgeMs: number
  /** What lies in a file survives the end of the process; the end of the power it survives this much later. */
  syncMs: number
}

export interface SegmentWriterOptions extends SegmentLimits {
  dir: string
  now: () => number
  /** A number above every one in use, so that names sort by age and never meet. */
  nextNumber: () => number
  onOpened: (segment: Segment) => void
  /** A group is written. */
  onWritten: () => Promise<void>
  /** Nothing will be added to this segment any more. */
  onSealed: (segment: Segment) => Promise<void>
}

interface Waiting {
  seqs: number[]
  text: string
  done: (segment: Segment | undefined) => void
}

/** Appends lines to segments in groups: whatever comes in while one group is written is the next group. */
export class SegmentWriter {
  /** Why the disk refused the latest group; undefined while it takes them. */
  trouble: Error | undefined
  readonly #options: SegmentWriterOptions
  #active: { segment: Segment; file: FileHandle } | undefined
  #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  #syncing: NodeJS.Timeout | undefined

  constructor(options: SegmentWriterOptions) {
    this.#options = options
  }

  /** The segment that is being added to. */
  get active(): Segment | undefined {
    return this.#active?.segment
  }

  /** Answers with the segment once the lines are in its file, or with undefined when the disk refused. Never throws. */
  append(seqs: number[], text: string): Promise<Segment | undefined> {
    return new Promise(done => {
      this.#waiting.push({ seqs, text, done })
      this.#writing ??= this.#write()
    })
  }

  /** Finishes writing and closes the file. */
  async close(): Promise<void> {
    await this.#writing
    await this.#seal()
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      const segment = await this.#writeGroup(group)
      for (const { done } of group) done(segment)
    }
    // In the same turn as the last look at what waits, so that no append falls between the two.
    this.#writing = undefined
  }

  async #writeGroup(group: Waiting[]): Promise<Segment | undefined> {
    try {
      const { segment, file } = await this.#writable()
      const bytes = Buffer.from(takeAcknowledged(segment) + group.map(({ text }) => text).join(''))
      await writeAll(file, bytes)
      segment.bytes += bytes.length
      segment.lastAt = this.#options.now()
      for (const { seqs } of group) for (const seq of seqs) segment.pending.add(seq)
      this.trouble = undefined
      this.#syncing ??= setTimeout(() => this.#sync(), this.#options.syncMs).unref()
      await this.#options.onWritten()
      return segment
    } catch (error) {
      this.trouble = error as Error
      // What a failed write left in the file is unknown: the next group goes to a file of its own.
      await this.#seal()
      return undefined
    }
  }

  /** What the server has by now needs no disk that outlives the power. */
  #sync(): void {
    this.#syncing = undefined
    const { segment, file } = this.#active ?? {}
    if (segment === undefined || segment.pending.size === 0) return
    // A file that was closed meanwhile was synced then; a disk that fails says so at the next write.
    file?.datasync().catch(() => undefined)
  }

  async #writable(): Promise<{ segment: Segment; file: FileHandle }> {
    const { dir, now, nextNumber, segmentBytes, segmentAgeMs, onOpened } = this.#options
    const { active } = this
    if (active && (active.bytes >= segmentBytes || now() - active.firstAt >= segmentAgeMs)) await this.#seal()
    if (this.#active !== undefined) return this.#active
    const path = join(dir, `${String(nextNumber()).padStart(16, '0')}.jsonl`)
    const file = await open(path, 'a', 0o600)
    this.#active = { segment: newSegment(path, now()), file }
    onOpened(this.#active.segment)
    await syncDirectory(dir)
    return this.#active
  }

  async #seal(): Promise<void> {
    if (this.#active === undefined) return
    const { segment, file } = this.#active
    this.#active = undefined
    if (segment.pending.size > 0) await file.datasync().catch(() => undefined)
    await file.close().catch(() => undefined)
    if (segment.pending.size > 0) await writeAcknowledged(segment).catch(() => undefined)
    await this.#options.onSealed(segment)
  }
}

/** A file opened for appending takes each write at its end. @throws when the disk does not take all of it */
async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  let { bytesWritten } = await file.write(bytes)
  while (bytesWritten < bytes.length) bytesWritten += (await file.write(bytes, bytesWritten)).bytesWritten
}
