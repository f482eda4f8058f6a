import { setTimeout as sleep } from 'node:timers/promises'
import { checkedSince, type EventRow, eventById, eventsSince } from '@watchpost/store'
import type { Context } from '../context.ts'
import { settleForReading } from '../settle-for-reading.ts'
import { iso } from './time.ts'

/** How often a follower is told. */
const everyMs = 1000
/** Proxies close what says nothing for a minute. */
const silenceMs = 15_000
/** Clocks of replicas differ, and a commit takes its time: what is older than this has been seen. */
const overlapMs = 10_000
/** What a client that was away may still ask for. */
const longestAbsenceMs = 3_600_000
const atOnce = 500

/**
 * A team's events as server-sent events, until the signal or whoever follows ends it.
 * @param lastId the last event that the follower has seen
 * @param stillMay asked before each round: a credential that was revoked ends the stream
 */
export async function* follow(
  context: Context,
  team_id: number,
  lastId: string | undefined,
  stillMay: () => Promise<boolean>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const started = context.now()
  const last = lastId === undefined ? undefined : await context.db.one(eventById, { team_id, outbox_id: lastId })
  const events = new Unseen<EventRow>(
    last === undefined ? started : Math.max(last.created_at, started - longestAbsenceMs),
  )
  if (last !== undefined) events.skip(last)
  const checked = new Map<number, number>()
  let spoken = started
  yield 'retry: 2000\n\n'
  while (!signal.aborted && (await stillMay())) {
    const now = context.now()
    const text =
      (await newEvents(context, team_id, events)) + (await newChecks(context, team_id, checked, started, now))
    if (text !== '' || now - spoken >= silenceMs) {
      spoken = now
      yield text === '' ? ': nothing happened\n\n' : text
    }
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

async function newEvents(context: Context, team_id: number, events: Unseen<EventRow>): Promise<string> {
  let text = ''
  let { since } = events
  let after = ''
  for (;;) {
    const rows = await context.db.all(eventsSince, { team_id, since, outbox_id: after, limit: atOnce })
    for (const { id, event, body } of events.take(rows)) text += `id: ${id}\nevent: ${event}\ndata: ${body}\n\n`
    const last = rows.at(-1)
    if (rows.length < atOnce || last === undefined) return text
    since = last.created_at
    after = last.id
  }
}

async function newChecks(
  context: Context,
  team_id: number,
  told: Map<number, number>,
  started: number,
  now: number,
): Promise<string> {
  const since = Math.max(started, now - 60_000)
  await settleForReading(context.results)
  let text = ''
  for (const row of await context.db.all(checkedSince, { team_id, since })) {
    if (told.get(row.monitor_id) === row.last_check_at) continue
    told.set(row.monitor_id, row.last_check_at)
    const data = { ...row, last_check_at: iso(row.last_check_at) }
    text += `event: monitor.checked\ndata: ${JSON.stringify(data)}\n\n`
  }
  return text
}

/** What was told already, of the time that is still looked at. */
class Unseen<R extends { id: string; created_at: number }> {
  /** From when on is asked for, epoch ms. */
  since: number
  private readonly seen = new Map<string, number>()
  private readonly floor: number

  constructor(since: number) {
    this.since = since
    this.floor = since
  }

  skip(row: R): void {
    this.seen.set(row.id, row.created_at)
  }

  take(rows: R[]): R[] {
    const unseen = rows.filter(row => !this.seen.has(row.id))
    for (const row of unseen) this.seen.set(row.id, row.created_at)
    const newest = Math.max(this.floor, ...this.seen.values())
    this.since = Math.max(this.floor, newest - overlapMs)
    for (const [id, at] of this.seen) if (at < this.since) this.seen.delete(id)
    return unseen
  }
}
