import { query } from './query.ts'

export interface ChannelRow {
  team_id: number
  id: number
  name: string
  type: string
  /** Encrypted JSON object: addresses and secrets of the channel. */
  settings: string
  /** JSON array of names; null for every event. */
  events: string | null
  /** JSON array of ids; null for every monitor. */
  monitor_ids: string | null
  enabled: number
  /** When its receiver asked never to be called again. */
  disabled_at: number | null
  disabled_reason: string | null
  /** Counts the writes: a writer that read another version decides again. */
  version: number
  created_at: number
  updated_at: number
  /** Source of the files that say what it is; null where people do. */
  managed_by: string | null
}

export const channelColumns =
  'team_id, id, name, type, settings, events, monitor_ids, enabled, disabled_at, disabled_reason, version, created_at, updated_at, managed_by'

export const channelById = query<ChannelRow>(
  'channel.byId',
  `select ${channelColumns} from channels where team_id = @team_id and id = @id`,
)

export const channelsOfTeam = query<ChannelRow>(
  'channel.ofTeam',
  `select ${channelColumns} from channels where team_id = @team_id order by id`,
)

export const manageChannels = query(
  'channel.manage',
  'update channels set managed_by = @source where team_id = @team_id and id in (@ids...)',
)

export type ListeningChannel = Pick<ChannelRow, 'team_id' | 'id' | 'type' | 'events' | 'monitor_ids' | 'created_at'>
/** Channels of these teams that take events. */
export const listeningChannels = query<ListeningChannel>(
  'channel.listening',
  `select team_id, id, type, events, monitor_ids, created_at from channels
   where team_id in (@ids...) and enabled = 1 order by team_id, id`,
)

export const insertChannel = query(
  'channel.insert',
  `insert into channels (team_id, id, name, type, settings, events, monitor_ids, enabled, created_at, updated_at)
   values (@team_id, @id, @name, @type, @settings, @events, @monitor_ids, @enabled, @created_at, @created_at)`,
)

export const updateChannel = query(
  'channel.update',
  `update channels set name = @name, settings = @settings, events = @events, monitor_ids = @monitor_ids,
     enabled = @enabled, disabled_at = @disabled_at, disabled_reason = @disabled_reason, version = version + 1,
     updated_at = @updated_at
   where team_id = @team_id and id = @id and version = @version`,
)

/** What a receiver said of its own address; not if somebody has changed the channel meanwhile. */
export const keepChannelSettings = query(
  'channel.keepSettings',
  `update channels set settings = @settings, version = version + 1
   where team_id = @team_id and id = @id and settings = @seen`,
)

export const deleteChannel = [
  query('channel.delete', 'delete from channels where team_id = @team_id and id = @id'),
  query('channel.deleteDeliveries', 'delete from deliveries where team_id = @team_id and channel_id = @id'),
]

/** By its receiver's wish; not if somebody has given it another address meanwhile. */
export const disableChannel = query(
  'channel.disable',
  `update channels set enabled = 0, disabled_at = @at, disabled_reason = @error, version = version + 1
   where team_id = @team_id and id = @id and settings = @settings`,
)
