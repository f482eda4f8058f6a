import {
  ApiError,
  type Channel,
  type ChannelPatch,
  type ChannelType,
  type ChannelWrite,
  channelRoutes,
  channelTypes,
  type FieldErrors,
} from '@watchpost/contract'
import {
  type ChannelRow,
  ConflictError,
  channelColumns,
  deleteChannel,
  dropDeliveries,
  hastenChannel,
  insertChannel,
  monitorsAmong,
  type Step,
  updateChannel,
} from '@watchpost/store'
import { noServer } from '../channels/email.ts'
import { sealSettings, unreadable } from '../channels/settings.ts'
import { rotated, type WebhookSettings } from '../channels/webhook.ts'
import type { Context } from '../context.ts'
import { appliedSettings, settingsErrors } from '../domain/channel-settings.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { columnsByName, listRows } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { newWebhookSecret } from '../secrets.ts'
import { testOf } from './channel-test.ts'
import { takeId } from './ids.ts'
import { mailableBy, mailErrors } from './mailable.ts'
import { channelView, findChannel, type KeptSettings, type OpenChannel, opened } from './open-channel.ts'
import { commitWithin, roomForChannels } from './plan-room.ts'

export const channelHandlers: Handlers<typeof channelRoutes> = {
  async listChannels({ query, caller, context }) {
    const { rows, total } = await listRows<ChannelRow>(context.db, query, {
      route: channelRoutes.listChannels,
      name: 'channel.list',
      columns: columnsByName(channelColumns),
      from: 'channels',
      where: 'team_id = @team_id',
      params: { team_id: caller.team_id },
    })
    return { rows: rows.map(row => channelView(opened(context, row), caller)), total }
  },

  getChannel: found({ find: findChannel, handle: async ({ caller }, channel) => channelView(channel, caller) }),

  createChannel: {
    judge: body => channelErrors(body, undefined, false),
    async handle({ body, caller, context }) {
      const { team_id } = caller
      await judgeBeyondSchema(context, team_id, body.type, body, {})
      const id = await takeId(context.db, 'channel')
      const secret = body.type === 'webhook' ? newWebhookSecret() : null
      const made = newChannel(context, { team_id, id }, body, secret)
      await commitWithin(context, roomForChannels(team_id), insertion(made))
      return { ...channelView(made, caller), secret }
    },
  },

  replaceChannel: found({
    find: findChannel,
    judge: (body, channel) => channelErrors(body, channel, false),
    handle: ({ body, caller, context }, channel) => change(context, caller, channel, body, false),
  }),

  updateChannel: found({
    find: findChannel,
    judge: (body, channel) => channelErrors(body, channel, true),
    handle: ({ body, caller, context }, channel) => change(context, caller, channel, body, true),
  }),

  deleteChannel: found({
    find: findChannel,
    async handle({ context }, { row: { team_id, id } }) {
      await context.db.commit(removal({ team_id, id }))
      return undefined
    },
  }),

  rotateChannelSecret: found({
    find: findChannel,
    async handle({ caller, context }, channel) {
      if (channel.row.type !== 'webhook') refuse({ type: 'only a webhook has a signing secret' })
      if (channel.settings.secret === undefined) throw new ApiError('conflict', unreadable)
      const secret = newWebhookSecret()
      const now = context.now()
      const shown = await write(context, caller, channel, ({ row, settings }) => ({
        row,
        settings: rotated(settings as WebhookSettings, secret, now),
      }))
      return { ...shown, secret }
    },
  }),

  testChannel: found({ find: findChannel, handle: ({ context }, { row }) => testOf(context, row) }),
}

export function newChannel(
  context: Context,
  key: { team_id: number; id: number },
  body: ChannelWrite,
  secret: string | null,
): OpenChannel {
  const given = appliedSettings(body.type, body, {}, false)
  const settings: KeptSettings = secret === null ? given : { ...given, secret }
  const now = context.now()
  const row: ChannelRow = {
    ...key,
    name: body.name,
    type: body.type,
    settings: sealSettings(context.keyring, key, settings),
    ...filterColumns(body, undefined),
    enabled: Number(body.enabled ?? true),
    disabled_at: null,
    disabled_reason: null,
    version: 1,
    created_at: now,
    updated_at: now,
    managed_by: null,
  }
  return { row, settings }
}

export function insertion({ row }: OpenChannel): Step {
  const { team_id, id, name, type, settings, events, monitor_ids, enabled, created_at } = row
  return {
    query: insertChannel,
    params: { team_id, id, name, type, settings, events, monitor_ids, enabled, created_at },
  }
}

export function removal({ team_id, id }: { team_id: number; id: number }): Step[] {
  return deleteChannel.map(query => ({ query, params: { team_id, id } }))
}

export function channelErrors(body: ChannelPatch, channel: OpenChannel | undefined, stays: boolean): FieldErrors {
  const type = (channel?.row.type ?? body.type) as ChannelType
  // A type that there is not is told by the schema.
  if (!channelTypes.includes(type)) return {}
  if (channel !== undefined && body.type !== undefined && body.type !== type) {
    return { type: `cannot change; it is ${type}` }
  }
  return settingsErrors(type, body, channel?.settings ?? {}, stays)
}

/** @param kept what the channel had before: of its monitors one may be gone by now, and whom it writes to may have left */
async function judgeBeyondSchema(
  context: Context,
  team_id: number,
  type: ChannelType,
  { monitor_ids = [], to }: ChannelPatch,
  kept: { monitor_ids?: number[]; to?: string | string[] | undefined },
): Promise<void> {
  const { db, config } = context
  const errors: FieldErrors = {}
  if (type === 'email') {
    if (config.mailServer === undefined) errors.type = noServer
    Object.assign(errors, mailErrors(await mailableBy(context, team_id), to, kept.to))
  }
  const ids = monitor_ids.filter(id => kept.monitor_ids?.includes(id) !== true)
  const known = ids.length === 0 ? [] : await db.all(monitorsAmong, { team_id, ids })
  const unknown = ids.filter(id => !known.some(row => row.id === id))
  if (unknown.length > 0) errors.monitor_ids = `no such monitor: ${unknown.join(', ')}`
  refuse(errors)
}

async function change(
  context: Context,
  caller: UserCaller,
  channel: OpenChannel,
  body: ChannelPatch,
  stays: boolean,
): Promise<Channel> {
  const type = channel.row.type as ChannelType
  const kept = { monitor_ids: JSON.parse(channel.row.monitor_ids ?? '[]'), to: channel.settings.to }
  await judgeBeyondSchema(context, caller.team_id, type, body, kept)
  return write(context, caller, channel, before => changed(before, body, stays))
}

/** What a write makes of a channel. @param stays whether what it does not name stays */
export function changed({ row, settings }: OpenChannel, body: ChannelPatch, stays: boolean): OpenChannel {
  const type = row.type as ChannelType
  const { secret = type === 'webhook' ? newWebhookSecret() : undefined, previous } = settings
  const enabled = Number(body.enabled ?? (stays ? row.enabled === 1 : true))
  return {
    row: {
      ...row,
      name: body.name ?? row.name,
      ...filterColumns(body, stays ? row : undefined),
      enabled,
      ...(enabled === 1 ? { disabled_at: null, disabled_reason: null } : {}),
    },
    settings: {
      ...appliedSettings(type, body, settings, stays),
      ...(secret === undefined ? {} : { secret }),
      ...(previous === undefined ? {} : { previous }),
    },
  }
}

/** Times a change is decided anew because somebody else changed the channel in between. */
const attempts = 20

async function write(
  context: Context,
  caller: UserCaller,
  channel: OpenChannel,
  decide: (channel: OpenChannel) => OpenChannel,
  attempt = 1,
): Promise<Channel> {
  const now = context.now()
  const after = sealed(context, decide(channel), now)
  try {
    await context.db.commit(changeSteps(channel, after, now))
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error
    const current = await findChannel({ params: { id: String(channel.row.id) }, caller, context })
    if (current === undefined) throw new ApiError('not_found', 'Not found')
    return write(context, caller, current, decide, attempt + 1)
  }
  context.eventCommitted()
  return channelView(after, caller)
}

export function sealed({ keyring }: Context, { row, settings }: OpenChannel, now: number): OpenChannel {
  return { row: { ...row, settings: sealSettings(keyring, row, settings), updated_at: now }, settings }
}

/** If nobody has written the channel since it was read. */
export function changeSteps(before: OpenChannel, { row, settings }: OpenChannel, now: number): Step[] {
  const { type: _, created_at: __, managed_by: ___, ...columns } = row
  const { team_id, id: channel_id } = row
  const steps: Step[] = [{ query: updateChannel, params: columns, expect: 1 }]
  if (row.enabled === 0) {
    const error = 'The channel was switched off'
    steps.push({ query: dropDeliveries, params: { team_id, channel_id, at: now, error } })
  } else if (JSON.stringify(settings) !== JSON.stringify(before.settings)) {
    steps.push({ query: hastenChannel, params: { team_id, channel_id, now } })
  }
  return steps
}

/** On the wire none named is all; in the store that is null, since a list may become empty otherwise. */
function filterColumns(body: ChannelPatch, before: ChannelRow | undefined) {
  const column = (list: readonly unknown[] | undefined, kept: string | null | undefined) =>
    list === undefined ? (kept ?? null) : list.length === 0 ? null : JSON.stringify(list)
  return {
    events: column(body.events, before?.events),
    monitor_ids: column(body.monitor_ids, before?.monitor_ids),
  }
}
