import { ApiError } from '@watchpost/contract'
import { ConflictError, insertVerdict, type Step, trimJournal, writeJournal } from '@watchpost/store'
import { verdictSteps } from '../api/automatic-incidents.ts'
import { eventStep } from '../api/event.ts'
import { outageSteps } from '../api/outages.ts'
import type { Context } from '../context.ts'
import { encodeJournal } from '../domain/result-journal.ts'
import { type CheckTables, keptFrom } from './check-tables.ts'
import { evidenceStep } from './evidence.ts'
import { flushSteps } from './flush.ts'
import { type Others, type Pending, type Piece, statusChanged } from './judge.ts'
import type { KeptMonitor } from './kept-monitor.ts'
import { KeptMonitors } from './kept-monitors.ts'
import { replayJournal } from './replay.ts'

/** Monitors to one commit where each has a row to write, so that several connections work at once. */
const rowsPerCommit = 25
/** Times a result is judged anew because the monitor had changed. */
const mostAttempts = 20

export type Given = Pick<Context, 'db' | 'now' | 'eventCommitted' | 'changes'> & {
  windows: Pick<Context['windows'], 'covers'>
  /** Nobody, where it is not given. */
  live?: Others
}

/**
 * Keeps what was judged: as an entry of the journal, from which it can be judged again, or as the rows themselves where
 * there is no journal, or where the status changed and others must see it at once.
 */
export class Keeper {
  readonly monitors: KeptMonitors
  private readonly given: Given
  private readonly tables: CheckTables
  private readonly journaled: boolean
  private nextEntry = 1
  /** Memory holds what could not be kept: it is to be made anew. */
  private astray: boolean

  constructor(given: Given, tables: CheckTables, journaled: boolean) {
    this.given = given
    this.tables = tables
    this.journaled = journaled
    this.astray = journaled
    this.monitors = new KeptMonitors(given.db)
  }

  /** Makes memory agree with what is kept, if it may not: after a start, and after a commit that failed. */
  async ready(): Promise<void> {
    if (!this.astray) return
    this.nextEntry = await replayJournal(this.given.db, this.monitors, this.given.now())
    this.astray = false
  }

  /** Whether memory agrees with what is kept. */
  get isSure(): boolean {
    return !this.astray
  }

  /** What was judged of these is not kept. @param conflict because they had changed, which says nothing of the tables */
  lost(ids: Iterable<number>, conflict = false): void {
    if (!conflict) this.tables.forget()
    if (this.journaled) this.astray = true
    else for (const id of ids) this.monitors.forget(id)
  }

  /** @returns results to be judged again, since their monitors had changed */
  async keep(pieces: readonly Piece[]): Promise<Pending[]> {
    await this.makeTables(pieces)
    const [changed, plain] = [pieces.filter(each => each.change), pieces.filter(each => !each.change)]
    const kept: Promise<Pending[]>[] = changed.map(piece => this.keepRows([piece]))
    if (this.journaled && plain.length > 0) kept.push(this.keepEntry(plain))
    // In the order of their keys: replicas that write the same rows wait for each other instead of both failing.
    const sorted = this.journaled ? [] : plain.sort((a, b) => a.kept.id - b.kept.id)
    for (let at = 0; at < sorted.length; at += rowsPerCommit)
      kept.push(this.keepRows(sorted.slice(at, at + rowsPerCommit)))
    return (await Promise.all(kept)).flat()
  }

  /** Brings rows up to what is known. @param last whether the journal may be trimmed after it */
  async catchUp(behind: readonly KeptMonitor[], last: boolean): Promise<void> {
    const { db } = this.given
    for (const kept of behind) if (kept.memory.fullBlocks.length > 0) await this.makeBlockTables(kept)
    const steps = (await Promise.all(behind.map(kept => flushSteps(db, kept)))).flat()
    const oldest = this.monitors.oldestBehind(new Set(behind))
    if (last) steps.push({ query: trimJournal, params: { before: oldest?.journalId ?? this.nextEntry } })
    try {
      await db.commit(steps)
    } catch (error) {
      this.lost(behind.map(each => each.id))
      throw error
    }
    for (const kept of behind) this.monitors.caughtUp(kept)
  }

  private async makeTables(pieces: readonly Piece[]): Promise<void> {
    for (const { evidence, kept } of pieces) {
      for (const { checked_at } of evidence) if (!this.tables.has(checked_at)) await this.tables.make(checked_at)
      if (kept.memory.fullBlocks.length > 0) await this.makeBlockTables(kept)
    }
  }

  /** The open block of a monitor that was silent for long may be older than anything that is kept. */
  private async makeBlockTables({ memory }: KeptMonitor): Promise<void> {
    const oldest = keptFrom(this.given.now())
    memory.fullBlocks = memory.fullBlocks.filter(each => each.first_at >= oldest)
    for (const { first_at } of memory.fullBlocks) if (!this.tables.has(first_at)) await this.tables.make(first_at)
  }

  private async keepEntry(pieces: readonly Piece[]): Promise<Pending[]> {
    const { db, now } = this.given
    const id = this.nextEntry++
    const data = encodeJournal(pieces.flatMap(each => each.entries))
    const steps: Step[] = [{ query: writeJournal, params: { id, data } }]
    for (const { evidence } of pieces) for (const result of evidence) steps.push(evidenceStep(result))
    try {
      await db.commit(steps)
    } catch (error) {
      this.lost(pieces.map(each => each.kept.id))
      return refuseAll(pieces, error as Error)
    }
    const at = now()
    for (const piece of pieces) {
      this.monitors.fallBehind(piece.kept, id, at)
      this.given.changes.happened(piece.kept.team_id)
      answerAll(piece)
    }
    return []
  }

  private async keepRows(pieces: readonly Piece[]): Promise<Pending[]> {
    try {
      const steps = await Promise.all(pieces.map(piece => this.rowSteps(piece)))
      await this.given.db.commit(steps.flat())
    } catch (error) {
      return this.notKept(pieces, error as Error)
    }
    for (const piece of pieces) {
      this.monitors.caughtUp(piece.kept)
      answerAll(piece)
    }
    if (pieces.some(each => each.change?.told)) this.given.eventCommitted()
    return []
  }

  private async rowSteps({ kept, evidence, change }: Piece): Promise<Step[]> {
    const { db } = this.given
    const steps = [...(await flushSteps(db, kept)), ...evidence.map(evidenceStep)]
    if (change === undefined) return steps
    const { result, told, decided, votes } = change
    if (decided !== null) {
      const verdict = { team_id: kept.team_id, monitor_id: kept.id, seq: kept.memory.seq, ...decided, votes }
      steps.push({ query: insertVerdict, params: { ...verdict, decided_at: result.checked_at } })
    }
    if (told === null) return steps
    const now = this.given.now()
    const incident = await verdictSteps(db, kept, told.new_status, result.checked_at, now)
    const outage = await outageSteps(db, kept, told.new_status, result, now)
    const event = statusChanged(kept, result, told, now)
    const about = { downSince: outage.since }
    return [...steps, eventStep(kept.team_id, event, now, about), ...incident, ...outage.steps]
  }

  /** One conflict undoes a commit of many: each is tried by itself then. */
  private async notKept(pieces: readonly Piece[], error: Error): Promise<Pending[]> {
    const conflict = error instanceof ConflictError
    if (conflict && pieces.length > 1) {
      return (await Promise.all(pieces.map(piece => this.keepRows([piece])))).flat()
    }
    this.lost(
      pieces.map(each => each.kept.id),
      conflict,
    )
    return conflict ? pieces.flatMap(judgeAgain) : refuseAll(pieces, error)
  }
}

function answerAll({ answers }: Piece): void {
  for (const [pending, verdict] of answers) pending.answer(verdict)
}

function refuseAll(pieces: readonly Piece[], error: Error): Pending[] {
  for (const { answers } of pieces) for (const [pending] of answers) pending.answer(error)
  return []
}

function judgeAgain({ answers }: Piece): Pending[] {
  return answers.flatMap(([pending]) => {
    if (++pending.attempts < mostAttempts) return [pending]
    pending.answer(new ApiError('unavailable', 'Too many results at once', { retryAfter: 1 }))
    return []
  })
}
