import { type Channel, channelRoutes, type FieldErrors } from '@watchpost/contract'
import { type ChannelRow, channelById, deleteChannel, insertChannel } from '@watchpost/store'
import type { ChannelSettings } from '../channels/channel.ts'
import { channelPurpose } from '../channels/channel.ts'
import { mayActAs } from '../domain/roles.ts'
import { found, type Handlers } from '../http/handler.ts'
import { columnsByName, listRows } from '../http/list.ts'
import type { Keyring } from '../secrets.ts'
import { newWebhookSecret } from '../secrets.ts'
import { pathId, takeId } from './ids.ts'
import { iso, isoOrNull } from './time.ts'

export const channelHandlers: Handlers<typeof channelRoutes> = {
  async listChannels({ query, caller, context }) {
    const { rows, total } = await listRows<ChannelRow>(context.db, query, {
      route: channelRoutes.listChannels,
      name: 'channel.list',
      columns: columnsByName('team_id, id, name, type, settings, disabled_at, created_at'),
      from: 'channels',
      where: 'team_id = @team_id',
      params: { team_id: caller.team_id },
    })
    // The address may hold a secret; a viewer never sees one (ruling 16).
    const maySee = mayActAs(caller.role, 'member')
    return { rows: rows.map(row => channelView(row, maySee ? context.keyring : undefined)), total }
  },

  createChannel: {
    judge(body): FieldErrors {
      return typeof body.url === 'string' && !URL.canParse(body.url) ? { url: 'must be a valid URL' } : {}
    },
    async handle({ body, caller, context }) {
      const id = await takeId(context.db, 'channel')
      const secret = newWebhookSecret()
      const settings: ChannelSettings = { url: body.url, secret }
      const row = {
        team_id: caller.team_id,
        id,
        name: body.name,
        type: body.type,
        settings: context.keyring.seal(JSON.stringify(settings), channelPurpose(caller.team_id, id)),
        created_at: context.now(),
      }
      await context.db.commit([{ query: insertChannel, params: row }])
      return { ...channelView({ ...row, disabled_at: null }, context.keyring), secret }
    },
  },

  deleteChannel: found({
    async find({ params, caller, context }) {
      const id = pathId(params.id)
      return id === undefined ? undefined : context.db.one(channelById, { team_id: caller.team_id, id })
    },
    async handle({ context }, { team_id, id }) {
      await context.db.commit(deleteChannel.map(query => ({ query, params: { team_id, id } })))
      return undefined
    },
  }),
}

function channelView(row: ChannelRow, keyring: Keyring | undefined): Channel {
  const settings: ChannelSettings | undefined =
    keyring && JSON.parse(keyring.open(row.settings, channelPurpose(row.team_id, row.id)))
  return {
    id: row.id,
    name: row.name,
    type: row.type as Channel['type'],
    url: settings?.url ?? null,
    disabled_at: isoOrNull(row.disabled_at),
    created_at: iso(row.created_at),
  }
}
