import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { ApiError, type CheckResult, type Verdict } from '@watchpost/contract'
import { grantOf } from '@watchpost/store'
import { CheckTables } from './check-tables.ts'
import { judge, nobodyElse, notFound, notGiven, type Pending, type Piece, type Reporter } from './judge.ts'
import { type Given, Keeper } from './keeper.ts'
import type { KeptMonitor } from './kept-monitor.ts'
import { UnreadableError } from './kept-monitors.ts'
import { readResult } from './read-result.ts'
import { seenBefore, seenInTables } from './seen-before.ts'

/** Results that are judged together at most: none shall wait long for those before it. */
const roundLimit = 2000
/** Monitors whose rows one commit brings up to date. */
const catchUpLimit = 250

/**
 * Takes the results of probes. Those that wait are judged in one round, in memory, and kept in one commit; answers go
 * out when it is durable. On SQLite, which has one server, that commit is an entry of a journal, and the rows follow
 * later, many at once and in the order of their keys; on PostgreSQL it is the rows themselves. Either way a monitor's
 * row counts what happened to it, and no two writers bring it to the same count.
 */
export class ResultWriter {
  readonly tables: CheckTables
  private readonly given: Given
  private readonly keeper: Keeper
  private waiting: Pending[] = []
  private tasks: (() => Promise<void>)[] = []
  private running: Promise<void> | undefined
  private readonly held = new Map<number, Promise<unknown>>()
  private settling: Promise<void> | undefined

  constructor(given: Given) {
    this.given = given
    this.tables = new CheckTables(given.db)
    this.keeper = new Keeper(given, this.tables, given.db.engine === 'sqlite')
  }

  /** Takes up what a process that ended without a word had accepted. */
  open(): Promise<void> {
    return this.soon(async () => undefined)
  }

  /** What becomes of each result, once it is durable; rejects when the store fails, and nothing may be taken for kept. */
  accept(caller: Reporter, results: readonly CheckResult[]): Promise<(Verdict | ApiError)[]> {
    const now = this.given.now()
    const { promise, resolve, reject } = Promise.withResolvers<(Verdict | ApiError)[]>()
    const answers: (Verdict | ApiError)[] = new Array(results.length)
    let missing = results.length
    for (const [index, sent] of results.entries()) {
      const answer = (given: Verdict | ApiError | Error) => {
        if (given instanceof Error && !(given instanceof ApiError)) return reject(given)
        answers[index] = given
        if (--missing === 0) resolve(answers)
      }
      try {
        this.waiting.push({ caller, result: readResult(sent, now), attempts: 0, answer })
      } catch (error) {
        answer(error as Error)
      }
    }
    this.kick()
    return promise
  }

  /** Resolves once the rows hold everything that was accepted until now. */
  async settle(): Promise<void> {
    if (this.keeper.isSure && this.keeper.monitors.behindCount === 0) return
    // One that has not begun yet will do for all who ask meanwhile.
    if (this.settling === undefined) {
      const settling = this.catchUpAll()
      this.settling = settling
      settling.catch(() => {
        if (this.settling === settling) this.settling = undefined
      })
    }
    return this.settling
  }

  /**
   * Changes a monitor in another way than by a result: its rows hold everything, and its results wait until it is done.
   * What is kept of it is read anew afterwards.
   */
  async exclusively<T>(id: number, work: () => Promise<T>): Promise<T> {
    const before = this.held.get(id)
    const running = (async () => {
      await before
      await this.soon(async () => {
        const kept = this.keeper.monitors.get(id)
        if (kept !== undefined && kept.unwritten !== null) await this.keeper.catchUp([kept], false)
        this.keeper.monitors.forget(id)
      })
      return work()
    })()
    const over = running.then(
      () => undefined,
      () => undefined,
    )
    this.held.set(id, over)
    over.then(() => {
      // What a replay of the journal has read meanwhile is older than the work.
      this.keeper.monitors.forget(id)
      if (this.held.get(id) !== over) return
      this.held.delete(id)
      this.kick()
    })
    return running
  }

  /** How far the rows are behind: since when, epoch ms, and how many monitors. */
  behind(): { since: number; monitors: number } | undefined {
    const { monitors } = this.keeper
    const oldest = monitors.oldestBehind()
    return oldest ? { since: oldest.since, monitors: monitors.behindCount } : undefined
  }

  /** Takes what waits, and brings the rows up to date. */
  async close(): Promise<void> {
    while (this.running !== undefined) await this.running
    await this.settle()
  }

  private kick(): void {
    this.running ??= turn()
      .then(() => this.run())
      .finally(() => {
        this.running = undefined
        if (this.tasks.length > 0 || this.waiting.some(each => !this.held.has(each.result.monitor_id))) this.kick()
      })
  }

  /** Between two rounds: nothing is judged meanwhile. */
  private soon(work: () => Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.tasks.push(() => this.keeper.ready().then(work).then(resolve, reject))
    this.kick()
    return promise
  }

  private async run(): Promise<void> {
    for (;;) {
      await this.tasks.shift()?.()
      const round = this.takeRound()
      if (round.size > 0) await this.round(round)
      else if (this.tasks.length === 0) return
      // What has arrived meanwhile shares the next round.
      await turn()
    }
  }

  /** What waits, by monitor and in its order. */
  private takeRound(): Map<number, Pending[]> {
    const round = new Map<number, Pending[]>()
    const rest: Pending[] = []
    let taken = 0
    for (const pending of this.waiting) {
      const id = pending.result.monitor_id
      if (taken >= roundLimit || (this.held.size > 0 && this.held.has(id))) {
        rest.push(pending)
        continue
      }
      taken++
      const queue = round.get(id)
      if (queue === undefined) round.set(id, [pending])
      else queue.push(pending)
    }
    this.waiting = rest
    return round
  }

  private async round(round: Map<number, Pending[]>): Promise<void> {
    let again: Pending[]
    try {
      await this.keeper.ready()
      const pieces = await this.judgeAll(round)
      const rest = pieces.flatMap(piece => piece.rest)
      const conflicts = await this.keeper.keep(pieces.filter(settled))
      again = [...conflicts, ...rest]
    } catch (error) {
      this.keeper.lost(round.keys())
      for (const pending of [...round.values()].flat()) pending.answer(error as Error)
      return
    }
    if (again.length === 0) return
    for (const pending of again) pending.repeated = undefined
    this.waiting = [...again, ...this.waiting]
    // Replicas that collide again and again do so less when they do not come back at the same moment.
    const attempts = Math.max(...again.map(each => each.attempts))
    if (attempts > 3) await sleep(Math.random() * 5 * attempts)
  }

  private async judgeAll(round: Map<number, Pending[]>): Promise<Piece[]> {
    const pieces: Piece[] = []
    const slow: Promise<void>[] = []
    for (const [id, queue] of round) {
      const kept = this.keeper.monitors.get(id)
      if (kept !== undefined && queue.every(each => isPlain(kept, each))) pieces.push(this.judge(kept, queue))
      else {
        slow.push(
          this.prepare(id, kept, queue).then(
            ready => {
              if (ready !== undefined) pieces.push(this.judge(ready.kept, ready.queue))
            },
            error => {
              // Sent again it would be no better, and would hold up what was sent with it.
              if (!(error instanceof UnreadableError)) throw error
              for (const pending of queue) pending.answer(new ApiError('conflict', error.message))
            },
          ),
        )
      }
    }
    // All of them, before the round is given up: one that went on alone would judge what nobody keeps.
    const failed = (await Promise.allSettled(slow)).find(each => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return pieces
  }

  private judge(kept: KeptMonitor, queue: Pending[]): Piece {
    const { windows, live = nobodyElse, now } = this.given
    return judge(kept, queue, ({ team_id, id }, at) => windows.covers(team_id, id, at), live, now())
  }

  /** Reads what memory does not have; answers those that may not report. */
  private async prepare(id: number, known: KeptMonitor | undefined, queue: Pending[]) {
    const { db } = this.given
    const kept = known ?? (await this.keeper.monitors.load(id, queue[0]?.caller.probe_id ?? 0))
    const allowed: Pending[] = []
    for (const pending of queue) {
      const { caller, result } = pending
      if (kept === undefined || (caller.team_id !== 0 && caller.team_id !== kept.team_id)) {
        pending.answer(notFound(id))
        continue
      }
      if (!kept.granted.includes(caller.probe_id)) {
        const key = { team_id: kept.team_id, monitor_id: id, probe_id: caller.probe_id }
        const grant = await db.one(grantOf, key)
        if (grant === undefined) {
          pending.answer(notGiven(id))
          continue
        }
        kept.granted.push(caller.probe_id)
        const vote = kept.memory.votes?.regions.find(each => each.region === grant.region)
        if (vote !== undefined) kept.memory.votes?.ofProbe.set(caller.probe_id, vote)
      }
      if (seenBefore(kept.memory, result) === 'ask') {
        pending.repeated = await seenInTables(db, this.tables, result, this.given.now())
      }
      allowed.push(pending)
    }
    return kept === undefined || allowed.length === 0 ? undefined : { kept, queue: allowed }
  }

  /** A piece at a time, so that results go on meanwhile. */
  private async catchUpAll(): Promise<void> {
    let behind: KeptMonitor[] = []
    for (let from = 0; from === 0 || from < behind.length; from += catchUpLimit) {
      await this.soon(async () => {
        if (from === 0) {
          this.settling = undefined
          behind = this.keeper.monitors.allBehind()
        }
        // Some have caught up by themselves meanwhile, or were forgotten.
        const piece = behind.slice(from, from + catchUpLimit).flatMap(({ id }) => this.stillBehind(id))
        await this.keeper.catchUp(piece, from + catchUpLimit >= behind.length)
      })
    }
  }

  /** As it is known now: after a failed commit everything was read anew. */
  private stillBehind(id: number): KeptMonitor[] {
    const kept = this.keeper.monitors.get(id)
    return kept === undefined || kept.unwritten === null ? [] : [kept]
  }
}

/** Memory is enough to judge it. */
function isPlain(kept: KeptMonitor, { caller, result }: Pending): boolean {
  return (
    kept.granted.includes(caller.probe_id) &&
    (caller.team_id === 0 || caller.team_id === kept.team_id) &&
    seenBefore(kept.memory, result) !== 'ask'
  )
}

/** Nothing to keep: it can be answered at once. */
function settled(piece: Piece): boolean {
  if (piece.entries.length > 0) return true
  for (const [pending, verdict] of piece.answers) pending.answer(verdict)
  return false
}
