import type { QuotaName } from '@watchpost/contract'
import {
  type CommitsOfDay,
  type Days,
  type Db,
  dayName,
  daysInFiles,
  openMainReader,
  openMetricStore,
  pointsDay,
  type Step,
  telemetryDay,
  usageFolds,
} from '@watchpost/store'
import { type Budget, readBudget } from '../api/usage-steps.ts'
import { admit } from '../domain/quota.ts'
import { fileIds } from './block-ids.ts'
import { blockSteps } from './block-steps.ts'
import { ComeAgain, packHashes, unpackHashes } from './come-again.ts'
import { type Entry, refusal } from './entry.ts'
import { followKept } from './follow-kept.ts'
import type { Keeper } from './keeper.ts'
import { MetricKeeper } from './metric-keeper.ts'
import type { Answer, Counted, Delta, OfApp } from './protocol.ts'
import { byApp, leaveOut, type Share, shareOut } from './share-out.ts'

/** How long before a crash an answer may have been given that did not arrive. */
const doubtfulMs = 30_000
/** How long it may take until somebody is known to have gone before the answer. */
const rememberedMs = 60_000

/**
 * Keeps telemetry in a file of the day. What it counts is in the same commit, as a delta, since a commit cannot span two
 * files; the main thread adds the deltas to the usage of the apps, in order and each once.
 */
export class FileKeeper implements Keeper {
  private readonly days: Days
  private readonly pointDays: Days
  private readonly main: Db
  private readonly metrics: MetricKeeper
  private readonly now: () => number
  private readonly trouble: (error: unknown) => void
  private readonly comeAgain = new ComeAgain()
  /** Counted, and maybe not in the usage yet. */
  private unfolded: Counted[] = []
  /** Kept a moment ago, by the number of the request: its connection may be found to have gone. */
  private readonly recent = new Map<number, { hash: string; rejected: number; at: number }>()
  private readonly gone = new Set<number>()
  private readonly seqs = new Map<string, number>()

  private constructor(dataDir: string, metrics: MetricKeeper, now: () => number, trouble: (error: unknown) => void) {
    this.days = daysInFiles(dataDir, 'telemetry')
    this.pointDays = daysInFiles(dataDir, 'points')
    this.main = openMainReader(dataDir)
    this.metrics = metrics
    this.now = now
    this.trouble = trouble
  }

  /**
   * @param trouble is told why something could not be kept
   * @param mostNewSeries of one app within an hour; 0 for any
   */
  static async at(
    dataDir: string,
    now: () => number,
    trouble: (error: unknown) => void = () => undefined,
    mostNewSeries = 0,
  ): Promise<FileKeeper> {
    const metrics = new MetricKeeper(await openMetricStore(dataDir), mostNewSeries)
    return new FileKeeper(dataDir, metrics, now, trouble)
  }

  async open(): Promise<Counted[]> {
    const folds = new Map((await this.main.all(usageFolds, {})).map(({ day, seq }) => [day, seq]))
    for (const day of (await this.days.list()).toReversed()) {
      const db = await this.days.open(day)
      const rows = (await db?.all(telemetryDay(day).commitsAfter, { seq: folds.get(day) ?? 0 })) ?? []
      for (const { seq, deltas } of rows) this.unfolded.push({ day, seq, deltas: JSON.parse(deltas) })
    }
    await followKept(this.days, fileIds, this.pointDays, this.metrics.ids)
    await this.recall(this.days, telemetryDay)
    await this.recall(this.pointDays, pointsDay)
    return this.unfolded.filter(({ deltas }) => deltas.length > 0)
  }

  /** After a crash: whose answers may be lost. A clean end leaves a commit without requests behind. */
  private async recall(days: Days, queries: (day: number) => CommitsOfDay): Promise<void> {
    const [newest, before] = await days.list()
    if (newest === undefined) return
    const db = await days.open(newest)
    const last = await db?.one(queries(newest).lastCommit, {})
    if (last === undefined || db === undefined) return
    const since = last.kept_at - doubtfulMs
    const rows = await db.all(queries(newest).commitsSince, { since })
    if (before !== undefined) {
      rows.push(...((await (await days.open(before))?.all(queries(before).commitsSince, { since })) ?? []))
    }
    const ended = rows.filter(({ hashes }) => hashes.length === 0).map(({ kept_at }) => kept_at)
    const cleanUntil = Math.max(0, ...ended)
    for (const { kept_at, hashes } of rows) {
      if (kept_at <= cleanUntil) continue
      for (const { hash, rejected } of unpackHashes(hashes)) this.comeAgain.hold(hash, rejected, this.now())
    }
  }

  async keep(entries: Entry[]): Promise<{ answers: Answer[]; counted: Counted[] }> {
    const answers: Answer[] = []
    const points: Entry[] = []
    const rest: Entry[] = []
    const now = this.now()
    for (const entry of entries) {
      const rejected = this.comeAgain.take(entry.hash, now)
      if (rejected !== undefined) {
        answers.push({ id: entry.id, status: 200, rejected, reason: rejected > 0 ? 'Kept before' : '' })
      } else (entry.signal === 'metrics' ? points : rest).push(entry)
    }
    const counted: Counted[] = []
    // Two files, two commits: what became of one says nothing of the other.
    const kept = [
      ...(await this.attempt(points, () => this.keepPoints(points, now))),
      ...(await this.attempt(rest, () => this.keepCounted(rest, now, counted))),
    ]
    const all = [...answers, ...kept]
    // What came again may come once more: this answer may be lost, too.
    this.remember(entries, all, now)
    return { answers: all, counted }
  }

  /** Answers requests that share a commit by what became of it. */
  private async attempt(entries: Entry[], keep: () => Promise<Answer[]>): Promise<Answer[]> {
    if (entries.length === 0) return []
    try {
      return await keep()
    } catch (error) {
      this.trouble(error)
      return entries.map(({ id }) => refusal(id, 503, 'It could not be kept; try again'))
    }
  }

  /** Spans and logs, with what they count. */
  private async keepCounted(entries: Entry[], now: number, counted: Counted[]): Promise<Answer[]> {
    const day = dayName(now)
    const deltas: Delta[] = []
    const answers: Answer[] = []
    const steps: Step[] = []
    for (const group of byApp(entries)) {
      const { app } = group[0] as Entry
      const budget = await this.budget(app, now)
      const share = shareOut(group, budget)
      answers.push(...share.answers)
      deltas.push(...deltasOf(budget, share.wanted))
      steps.push(...blockSteps(app.id, day, share, fileIds, now))
    }
    const hashes = this.hashesOf(entries, answers)
    if (hashes.length === 0) return answers
    const db = await this.days.make(day)
    const seq = await this.nextSeq(db, day)
    const row = { seq, kept_at: now, hashes: packHashes(hashes), deltas: JSON.stringify(deltas) }
    await db.commit([...steps, { query: telemetryDay(day).insertCommit, params: row }])
    this.seqs.set(String(day), seq)
    if (deltas.length > 0) {
      counted.push({ day, seq, deltas })
      this.unfolded.push({ day, seq, deltas })
    }
    return answers
  }

  /** In a file of their own: nothing of metrics is counted, so no commit needs both. */
  private async keepPoints(entries: Entry[], now: number): Promise<Answer[]> {
    const day = dayName(now)
    const answers: Answer[] = []
    const steps: Step[] = []
    for (const group of byApp(entries)) {
      const { app } = group[0] as Entry
      const share = shareOut(group, undefined)
      const kept = await this.metrics.steps(app.id, share.points, day, now)
      leaveOut(share, kept.refused, kept.reason)
      answers.push(...share.answers)
      steps.push(...kept.steps)
    }
    const db = await this.pointDays.make(day)
    const seq = ((await db.one(pointsDay(day).lastCommit, {}))?.seq ?? 0) + 1
    const row = { seq, kept_at: now, hashes: packHashes(this.hashesOf(entries, answers)) }
    await db.commit([...steps, { query: pointsDay(day).insertCommit, params: row }])
    return answers
  }

  /** Of the requests that something was kept of. */
  private hashesOf(entries: Entry[], answers: Answer[]) {
    const byId = new Map(answers.map(answer => [answer.id, answer]))
    return entries
      .filter(({ id }) => byId.get(id)?.status === 200)
      .map(({ id, hash }) => ({ hash, rejected: (byId.get(id) as Answer).rejected }))
  }

  private remember(entries: Entry[], answers: Answer[], now: number): void {
    const byId = new Map(answers.map(answer => [answer.id, answer]))
    for (const { id, hash } of entries) {
      const answer = byId.get(id)
      if (this.gone.delete(id) && answer?.status === 200) this.comeAgain.hold(hash, answer.rejected, now)
      else if (answer?.status === 200) this.recent.set(id, { hash, rejected: answer.rejected, at: now })
    }
    for (const [id, { at }] of this.recent) {
      if (at > now - rememberedMs) break
      this.recent.delete(id)
    }
  }

  private async nextSeq(db: Db, day: number): Promise<number> {
    const known = this.seqs.get(String(day)) ?? (await db.one(telemetryDay(day).lastCommit, {}))?.seq ?? 0
    return known + 1
  }

  /**
   * What an app may still use: as the main store has it, with what was counted since. The main thread may fold in
   * between, so the marks of what is folded are read before and after.
   */
  private async budget(app: OfApp, now: number): Promise<Budget> {
    for (;;) {
      const before = await this.main.all(usageFolds, {})
      const budget = await readBudget(this.main, app, now)
      const after = await this.main.all(usageFolds, {})
      if (JSON.stringify(before) !== JSON.stringify(after)) continue
      const folds = new Map(after.map(({ day, seq }) => [day, seq]))
      this.unfolded = this.unfolded.filter(({ day, seq }) => seq > (folds.get(day) ?? 0))
      return withCounted(budget, this.unfolded)
    }
  }

  async answered(): Promise<void> {}

  async lost(ids: number[]): Promise<void> {
    for (const id of ids) {
      const kept = this.recent.get(id)
      if (kept === undefined) {
        // Not kept yet, or never: looked at once it is.
        if (this.gone.size > 10_000) this.gone.clear()
        this.gone.add(id)
        continue
      }
      this.recent.delete(id)
      this.comeAgain.hold(kept.hash, kept.rejected, this.now())
    }
  }

  /** Says that everything was answered. */
  async close(): Promise<void> {
    const [newest] = await this.days.list()
    if (newest !== undefined) {
      const db = await this.days.make(newest)
      const seq = await this.nextSeq(db, newest)
      const row = { seq, kept_at: this.now(), hashes: Buffer.alloc(0), deltas: '[]' }
      await db.commit([{ query: telemetryDay(newest).insertCommit, params: row }])
    }
    const [newestPoints] = await this.pointDays.list()
    if (newestPoints !== undefined) {
      const db = await this.pointDays.make(newestPoints)
      const seq = ((await db.one(pointsDay(newestPoints).lastCommit, {}))?.seq ?? 0) + 1
      const row = { seq, kept_at: this.now(), hashes: Buffer.alloc(0) }
      await db.commit([{ query: pointsDay(newestPoints).insertCommit, params: row }])
    }
    await this.metrics.close()
    await this.days.close()
    await this.pointDays.close()
    await this.main.close()
  }
}

function deltasOf(budget: Budget, wanted: Share['wanted']): Delta[] {
  const { app, period } = budget
  return Object.entries(wanted).map(([name, amount]) => {
    const quota = name as QuotaName
    const { limit, row, topUp } = budget.quotas[quota]
    const { fromTopUp } = admit(row?.used ?? 0, limit, topUp.balance, amount)
    const inPlan = amount - fromTopUp
    return {
      team_id: app.team_id,
      app_id: app.id,
      period,
      quota,
      amount: inPlan,
      from_top_up: fromTopUp,
      limited: limit !== null,
    }
  })
}

function withCounted(budget: Budget, counted: readonly Counted[]): Budget {
  const quotas = { ...budget.quotas }
  for (const [name, { limit, row, topUp }] of Object.entries(quotas)) {
    quotas[name as QuotaName] = { limit, row: row && { ...row }, topUp: { ...topUp } }
  }
  for (const { deltas } of counted) {
    for (const { app_id, period, quota, amount, from_top_up } of deltas) {
      if (app_id !== budget.app.id) continue
      const state = quotas[quota]
      // A top-up outlasts the month, the quota does not.
      if (period === budget.period) {
        state.row ??= { used: 0, alerted: 0 }
        state.row.used += amount
      }
      state.topUp.balance -= from_top_up
    }
  }
  return { ...budget, quotas }
}
