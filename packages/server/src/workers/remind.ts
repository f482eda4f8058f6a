import type { AlertTriggered } from '@watchpost/contract'
import {
  ConflictError,
  type DueReminder,
  dueReminders,
  listeningChannels,
  putOffReminder,
  remindOutage,
  silenceOutage,
} from '@watchpost/store'
import { eventStep } from '../api/event.ts'
import { iso } from '../api/time.ts'
import type { Context } from '../context.ts'
import { audienceOf, isForPeople } from '../domain/audience.ts'
import { nextReminder, reminderIntervalMs } from '../domain/reminder.ts'
import { happeningOf, listenerOf } from './dispatch.ts'
import { Repeating } from './repeating.ts'

const batch = 100
/** How long a reminder that failed waits. */
const putOffMs = 10 * 60_000

/** Reminds of monitors that stay offline (option `reminder_interval`). */
export function reminders(context: Context): Repeating {
  return new Repeating('reminders', 1000, context.log, async signal => {
    while (!signal.aborted && (await remind(context)) === batch);
  })
}

type Reminding = Pick<Context, 'db' | 'log' | 'now' | 'windows' | 'eventCommitted'>

/** @returns how many were due */
export async function remind(context: Reminding): Promise<number> {
  const due = await context.db.all(dueReminders, { now: context.now(), limit: batch })
  for (const outage of due) {
    // One that cannot be told of must not hold up the others.
    await remindOf(context, outage).catch(error => putOff(context, outage, error))
  }
  return due.length
}

/** @throws where that cannot be written either: then it is the store */
async function putOff({ db, now, log }: Reminding, outage: DueReminder, error: unknown): Promise<void> {
  const { team_id, monitor_id, remind_at: seen } = outage
  await db.commit([{ query: putOffReminder, params: { team_id, monitor_id, seen, next_at: now() + putOffMs } }])
  log.error({ err: error, monitor_id }, 'a reminder failed; trying again in ten minutes')
}

async function remindOf(context: Reminding, outage: DueReminder): Promise<void> {
  const { db, now: clock, eventCommitted } = context
  const { team_id, monitor_id, started_at } = outage
  const now = clock()
  const key = { team_id, monitor_id, seen: outage.remind_at }
  const interval = reminderIntervalMs(JSON.parse(outage.options))
  if (interval === null || outage.status !== 'offline') {
    await db.commit([{ query: silenceOutage, params: key }])
    return
  }
  const move = {
    query: remindOutage,
    params: { ...key, now, next_at: nextReminder(key.seen, interval, now) },
    expect: 1,
  }
  // In maintenance nobody is told; the reminder after it is.
  if (context.windows.covers(team_id, monitor_id, now)) return unlessMoved(db.commit([move]))
  const body: AlertTriggered = {
    event: 'alert.triggered',
    timestamp: iso(now),
    data: {
      monitor_id,
      monitor_name: outage.name,
      status: 'offline',
      reason: 'reminder',
      since: iso(started_at),
      error_message: outage.error_message,
      channel_ids: [],
    },
  }
  const listeners = (await db.all(listeningChannels, { ids: [team_id] })).map(listenerOf)
  const happening = happeningOf(body, { created_at: now, echo: 0, down_since_at: started_at })
  body.data.channel_ids = audienceOf(listeners, happening)
    .filter(({ type }) => isForPeople(type))
    .map(({ id }) => id)
  await unlessMoved(
    db.commit([move, eventStep(team_id, body, now, { downSince: started_at })]).then(() => eventCommitted()),
  )
}

/** Another replica was first, or the monitor is up again: then there is nothing to do. */
async function unlessMoved(commit: Promise<unknown>): Promise<void> {
  try {
    await commit
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error
  }
}
