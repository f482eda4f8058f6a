import { query } from './query.ts'

export interface ChannelRow {
  team_id: number
  id: number
  name: string
  type: string
  /** Encrypted JSON object: addresses and secrets of the channel. */
  settings: string
  disabled_at: number | null
  created_at: number
}

export const channelById = query<ChannelRow>(
  'channel.byId',
  'select * from channels where team_id = @team_id and id = @id',
)

export const insertChannel = query(
  'channel.insert',
  `insert into channels (team_id, id, name, type, settings, created_at)
   values (@team_id, @id, @name, @type, @settings, @created_at)`,
)

export const deleteChannel = [
  query('channel.delete', 'delete from channels where team_id = @team_id and id = @id'),
  query('channel.deleteDeliveries', 'delete from deliveries where team_id = @team_id and channel_id = @id'),
]

export const disableChannel = query(
  'channel.disable',
  'update channels set disabled_at = @at where team_id = @team_id and id = @id',
)
