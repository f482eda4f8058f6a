import type { ChannelTest, ChannelTested, ChannelType } from '@watchpost/contract'
import { type ChannelRow, insertSettledDelivery, markDispatched } from '@watchpost/store'
import type { Delivered } from '../channels/channel.ts'
import { openSettings, unreadable } from '../channels/settings.ts'
import type { Context } from '../context.ts'
import { noticeOf } from '../domain/notice.ts'
import { eventStep, newEventId } from './event.ts'
import { iso } from './time.ts'

/** Whoever asks is waiting: shorter than what deliveries are given. */
const timeoutMs = 12_000

/**
 * Sends a test through a channel, now, and keeps in the log how it went. It is not tried again, and does not disable
 * the channel: whoever asked sees what is wrong.
 */
export async function testOf(context: Context, row: ChannelRow): Promise<ChannelTest> {
  const { team_id, id: channel_id } = row
  const now = context.now()
  const id = newEventId()
  const body: ChannelTested = {
    event: 'channel.test',
    timestamp: iso(now),
    data: { channel_id, channel_name: row.name },
  }
  const answer = await deliver(context, row, id, body, now)
  const at = context.now()
  const error = answer.ok ? null : answer.error
  const response_status = answer.status ?? null
  const log = {
    team_id,
    outbox_id: id,
    channel_id,
    created_at: now,
    delivered_at: answer.ok ? at : null,
    failed_at: answer.ok ? null : at,
    error,
    response_status,
  }
  await context.db.commit([
    eventStep(team_id, body, now, {}, id),
    { query: markDispatched, params: { team_id, outbox_id: id, now: at } },
    { query: insertSettledDelivery, params: log },
  ])
  return { delivered: answer.ok, response_status, error }
}

async function deliver(
  { keyring, channels }: Context,
  row: ChannelRow,
  id: string,
  body: ChannelTested,
  now: number,
): Promise<Delivered> {
  let settings: object
  try {
    settings = openSettings(keyring, row)
  } catch {
    return { ok: false, error: unreadable }
  }
  const notice = noticeOf(body.event, body, null, null)
  const message = { id, event: body.event, body: JSON.stringify(body), notice }
  return channels[row.type as ChannelType].deliver(settings, message, now, AbortSignal.timeout(timeoutMs))
}
