import type { AlertTriggered, ChannelType, MonitorStatusChanged } from '@watchpost/contract'
import {
  ConflictError,
  hurryDelivery,
  insertDelivery,
  type ListeningChannel,
  listeningChannels,
  markDispatched,
  type PendingEvent,
  pendingEvents,
  queueIncidentMails,
  type Step,
} from '@watchpost/store'
import { eventStep } from '../api/event.ts'
import { isoOrNull } from '../api/time.ts'
import type { Context } from '../context.ts'
import { audienceOf, type Happening, isForPeople, type Listener } from '../domain/audience.ts'
import { concernsSubscribers } from '../domain/incident-mail.ts'

const batch = 200
/** How soon a channel that waits is tried where something new has happened; for three days, then it is given up as ever. */
const hurryMs = 60_000
const longestHurryMs = 3 * 86_400_000

/**
 * Makes a delivery row for each channel that an event is for; the event is done with in the same commit.
 * @returns how many events there were
 */
export async function dispatchPending({ db, now: clock }: Pick<Context, 'db' | 'now'>): Promise<number> {
  const events = await db.all(pendingEvents, { limit: batch })
  if (events.length === 0) return 0
  const teams = [...new Set(events.map(({ team_id }) => team_id))]
  const channels = Map.groupBy(await db.all(listeningChannels, { ids: teams }), ({ team_id }) => team_id)
  const now = clock()
  await Promise.all(
    events.map(async event => {
      const listeners = (channels.get(event.team_id) ?? []).map(listenerOf)
      try {
        await db.commit(stepsOf(event, listeners, now))
      } catch (error) {
        // Another replica has dispatched it.
        if (!(error instanceof ConflictError)) throw error
      }
    }),
  )
  return events.length
}

function stepsOf(event: PendingEvent, listeners: Listener[], now: number): Step[] {
  const { team_id, id: outbox_id, created_at } = event
  const body = JSON.parse(event.body)
  const audience = audienceOf(listeners, happeningOf(body, event))
  const steps: Step[] = [{ query: markDispatched, params: { team_id, outbox_id, now }, expect: 1 }]
  for (const { id } of audience) {
    const soon = now + hurryMs
    const since = now - longestHurryMs
    steps.push(
      { query: hurryDelivery, params: { team_id, channel_id: id, now, soon, since } },
      { query: insertDelivery, params: { team_id, outbox_id, channel_id: id, now, created_at } },
    )
  }
  if (concernsSubscribers(body)) steps.push(tellSubscribers(team_id, outbox_id, body.data, now, created_at))
  const people = audience.filter(({ type }) => isForPeople(type)).map(({ id }) => id)
  if (event.event === 'monitor.status_changed' && people.length > 0) {
    const alert = alertOf(body, event.down_since_at, people)
    steps.push(eventStep(team_id, alert, now, { downSince: event.down_since_at }))
  }
  return steps
}

/** A message to each subscriber of each page that shows the incident. */
function tellSubscribers(
  team_id: number,
  outbox_id: string,
  { monitor_ids, status_page_ids: page_ids }: { monitor_ids: number[]; status_page_ids: number[] },
  now: number,
  created_at: number,
): Step {
  return { query: queueIncidentMails, params: { team_id, outbox_id, monitor_ids, page_ids, now, created_at } }
}

/** Says to programs that people are being told (ruling 26). It goes to nobody who reads the change itself. */
function alertOf(
  { data, timestamp }: MonitorStatusChanged,
  since: number | null,
  channel_ids: number[],
): AlertTriggered {
  return {
    event: 'alert.triggered',
    timestamp,
    data: {
      monitor_id: data.monitor_id,
      monitor_name: data.monitor_name,
      status: data.new_status,
      reason: 'status_changed',
      since: isoOrNull(since),
      error_message: data.error_message,
      channel_ids,
    },
  }
}

export function happeningOf(
  { event, data }: Pick<Happening, 'event' | 'data'>,
  { created_at, echo, down_since_at }: Pick<PendingEvent, 'created_at' | 'echo' | 'down_since_at'>,
): Happening {
  return { event, data, created_at, echo: echo === 1, down_since_at }
}

export function listenerOf({ id, type, events, monitor_ids, created_at }: ListeningChannel): Listener {
  return {
    id,
    type: type as ChannelType,
    events: events === null ? null : JSON.parse(events),
    monitor_ids: monitor_ids === null ? null : JSON.parse(monitor_ids),
    created_at,
  }
}
