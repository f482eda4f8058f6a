import type { Channel, ChannelTest } from '@watchpost/contract'
import type { Tone } from '../table.ts'
import type { View } from '../view.ts'

export const channelView: View<Channel> = {
  singular: 'channel',
  plural: 'channels',
  name: channel => channel.name,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    { title: 'NAME', cell: ({ name }) => name, least: 12 },
    { title: 'TYPE', cell: ({ type }) => String(type) },
    { title: 'TO', cell: address, least: 16 },
    { title: 'STATE', cell: state, tone },
  ],
}

/** Where it leads, whatever its type calls that. */
function address({ url, to, chat_id }: Channel): string {
  return url ?? to?.join(', ') ?? chat_id ?? '-'
}

/** Off by a person's wish, or disabled by its receiver's. */
function state({ enabled, disabled_at }: Channel): string {
  if (enabled) return 'active'
  return disabled_at === null ? 'off' : 'disabled'
}

function tone({ enabled, disabled_at }: Channel): Tone {
  if (enabled) return 'good'
  return disabled_at === null ? 'dim' : 'bad'
}

export const channelTestView: View<ChannelTest> = {
  singular: 'test',
  plural: 'tests',
  name: ({ delivered }) => (delivered ? 'delivered' : 'failed'),
  columns: [
    { title: 'DELIVERED', cell: ({ delivered }) => String(delivered), tone: test => (test.delivered ? 'good' : 'bad') },
    { title: 'ERROR', cell: ({ error }) => error ?? '-' },
  ],
}
