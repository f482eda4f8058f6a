import { channelView } from '../../format/channels.ts'
import { listVerb } from '../../verbs/list.ts'

export const listChannels = listVerb({
  route: 'listChannels',
  view: channelView,
  summary: 'List alert channels',
  examples: ['channels list', 'channels list -o yaml'],
})
