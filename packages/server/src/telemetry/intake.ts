import { setTimeout as sleep } from 'node:timers/promises'
import { type Content, type Entry, readSent, refusal } from './entry.ts'
import type { Keeper } from './keeper.ts'
import type { Answer, Counted, Sent } from './protocol.ts'
import { release } from './release.ts'

/** Requests of one commit at most, and how long the first may wait for the others. */
const mostRequests = 64
const lingerMs = 25
const crowd = mostRequests / 4
/** So long after its answers went out what others of a crowd send is on its way. */
const crowdMs = 1000
/** Exporters give up after ten seconds: what has waited so long is refused, and what it would have taken is others'. */
const mostWaitMs = 5000
/** Bytes that are read at most: what is behind them waits until they are kept. */
const mostBytes = { ahead: 8_388_608, 'one at a time': 2_097_152 }

/** Reads requests as they come, and keeps many in one commit. */
export class Intake {
  private readonly keeper: Keeper
  private readonly largestBody: number
  private readonly tell: (answers: Answer[], counted: Counted[]) => void
  private readonly trouble: (error: unknown) => void
  /** Not read yet: what is read is held many times as large as it came. */
  private readonly arrived: { sent: Sent; more: boolean }[] = []
  private pending: Entry[] = []
  private bytes = 0
  private timer: NodeJS.Timeout | undefined
  private keeping: Promise<void> | undefined
  /** Of what is being kept, and of what was kept last. */
  private keptBytes = 0
  private keptCount = 0
  private keptAt = 0
  private readonly pace: keyof typeof mostBytes

  /** @param pace whether to read on while much is being kept: that is held in memory twice then */
  constructor(
    keeper: Keeper,
    largestBody: number,
    tell: (answers: Answer[], counted: Counted[]) => void,
    trouble: (error: unknown) => void,
    pace: keyof typeof mostBytes = 'ahead',
  ) {
    this.pace = pace
    this.keeper = keeper
    this.largestBody = largestBody
    this.tell = tell
    this.trouble = trouble
  }

  /** @param more whether others are on their way, so that waiting for them is worth while */
  take(sent: Sent, more: boolean): void {
    this.arrived.push({ sent, more })
    this.readArrived()
  }

  private readArrived(): void {
    while (!this.isFull) {
      const next = this.arrived.shift()
      if (next === undefined) return
      if (Date.now() - next.sent.at > mostWaitMs) {
        this.refuse(next.sent)
        continue
      }
      this.read(next.sent)
      if (this.pending.length === 0) continue
      if (this.isFull || (!next.more && !this.isCrowded)) this.keep()
      else this.timer ??= setTimeout(() => this.keep(), lingerMs)
    }
  }

  private refuse({ id, body }: Sent): void {
    release(body)
    this.tell([refusal(id, 503, 'There is more than can be kept now; try again')], [])
  }

  /** Whether the next commit has enough. */
  private get isFull(): boolean {
    const held = this.pace === 'ahead' ? this.bytes : this.bytes + this.keptBytes
    return this.pending.length >= mostRequests || held >= mostBytes[this.pace]
  }

  /** Whether the last commit had so many that others are on their way while their answers are. */
  private get isCrowded(): boolean {
    return this.keptCount >= crowd && performance.now() - this.keptAt < crowdMs
  }

  private read(sent: Sent): void {
    let entry: Entry | Answer
    try {
      entry = readSent(sent, this.largestBody)
    } catch (error) {
      this.trouble(error)
      entry = refusal(sent.id, 400, 'The body cannot be read')
    }
    release(sent.body)
    if ('status' in entry) this.tell([entry], [])
    else {
      this.pending.push(entry)
      this.bytes += entry.bytes
    }
  }

  private keep(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    // What came meanwhile goes into the next commit.
    this.keeping ??= this.keepPending().finally(() => {
      this.keeping = undefined
      this.keptBytes = 0
      this.keptAt = performance.now()
      this.readArrived()
      const wait = this.isCrowded && !this.isFull ? lingerMs : 0
      if (this.pending.length > 0) this.timer ??= setTimeout(() => this.keep(), wait)
    })
  }

  private async keepPending(): Promise<void> {
    const entries = this.pending
    this.keptCount = entries.length
    this.pending = []
    this.keptBytes = this.bytes
    this.bytes = 0
    try {
      const { answers, counted } = await this.keeper.keep(entries)
      this.tell(answers, counted)
      for (const { content } of entries) giveBack(content)
    } catch (error) {
      this.trouble(error)
      const reason = 'It could not be kept; try again'
      this.tell(
        entries.map(({ id }) => refusal(id, 503, reason)),
        [],
      )
    }
  }

  /** Resolves once everything that came is answered. */
  async settle(): Promise<void> {
    while (this.arrived.length + this.pending.length > 0 || this.keeping !== undefined) {
      this.keep()
      await (this.keeping ?? sleep(1))
    }
  }
}

/** The large ones of what was read; the rest is little. */
function giveBack({ spans, logs }: Content): void {
  for (const prepared of [spans, logs]) {
    if (prepared === undefined) continue
    release(prepared.text)
    release(prepared.hashes)
  }
}
