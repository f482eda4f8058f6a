import Type from 'typebox'
import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { Channel, ChannelWrite, CreatedChannel } from '../schema/channel.ts'

export const channelRoutes = {
  listChannels: route({
    method: 'GET',
    path: '/v1/channels',
    surface: 'user',
    role: 'viewer',
    summary: 'List alert channels',
    query: listQuery(Channel, ['url']),
    envelope: 'list',
    reply: Channel,
  }),
  createChannel: route({
    method: 'POST',
    path: '/v1/channels',
    surface: 'user',
    role: 'admin',
    summary: 'Create an alert channel',
    description:
      'It gets every event of the team from now on. Its signing secret is in this answer and never shown again.',
    body: ChannelWrite,
    envelope: 'created',
    reply: CreatedChannel,
    message: 'Channel created',
  }),
  deleteChannel: route({
    method: 'DELETE',
    path: '/v1/channels/{id}',
    surface: 'user',
    role: 'admin',
    summary: 'Delete an alert channel',
    description: 'What was not delivered to it yet is dropped.',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Channel deleted',
  }),
}
