import type { Channel, ChannelType, EventName } from '@watchpost/contract'
import { type ChannelRow, channelById } from '@watchpost/store'
import { openSettings } from '../channels/settings.ts'
import type { WebhookSettings } from '../channels/webhook.ts'
import type { Context } from '../context.ts'
import { type GivenSettings, shownSettings } from '../domain/channel-settings.ts'
import { mayActAs } from '../domain/roles.ts'
import type { UserCaller } from '../http/handler.ts'
import { pathId } from './ids.ts'
import { iso, isoOrNull } from './time.ts'

/** The fields that were given, and for a webhook its signing secret. */
export type KeptSettings = GivenSettings & Partial<Pick<WebhookSettings, 'secret' | 'previous'>>

/** A channel with its settings readable. */
export interface OpenChannel {
  row: ChannelRow
  settings: KeptSettings
}

interface OfChannel {
  params: { id: string }
  caller: UserCaller
  context: Context
}

export async function findChannel({ params, caller, context }: OfChannel): Promise<OpenChannel | undefined> {
  const id = pathId(params.id)
  const row = id === undefined ? undefined : await context.db.one(channelById, { team_id: caller.team_id, id })
  return row && opened(context, row)
}

/** What another instance key sealed is shown as missing, so that it can be given again. */
export function opened({ keyring, log }: Context, row: ChannelRow): OpenChannel {
  try {
    return { row, settings: openSettings<KeptSettings>(keyring, row) }
  } catch (error) {
    log.warn({ err: error, team_id: row.team_id, channel_id: row.id }, 'the settings of a channel cannot be read')
    return { row, settings: {} }
  }
}

/** A viewer sees neither addresses nor what receivers said: either may hold a secret (ruling 16). */
export function channelView({ row, settings }: OpenChannel, caller: UserCaller): Channel {
  const maySee = mayActAs(caller.role, 'member')
  const type = row.type as ChannelType
  return {
    id: row.id,
    name: row.name,
    type,
    ...shownSettings(type, maySee ? settings : {}),
    events: JSON.parse(row.events ?? '[]') as EventName[],
    monitor_ids: JSON.parse(row.monitor_ids ?? '[]') as number[],
    enabled: row.enabled === 1,
    disabled_at: isoOrNull(row.disabled_at),
    disabled_reason: maySee ? row.disabled_reason : null,
    managed_by: row.managed_by,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}
