import type { Channel } from '@watchpost/contract'
import type { View } from '../view.ts'

export const channelView: View<Channel> = {
  singular: 'channel',
  plural: 'channels',
  name: channel => channel.name,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    { title: 'NAME', cell: ({ name }) => name, least: 12 },
    { title: 'TYPE', cell: ({ type }) => String(type) },
    { title: 'URL', cell: ({ url }) => url ?? '-', least: 16 },
    { title: 'STATE', cell: state, tone: channel => (channel.disabled_at === null ? 'good' : 'bad') },
  ],
}

function state(channel: Channel): string {
  return channel.disabled_at === null ? 'active' : 'disabled'
}
