import type { Channel } from '@watchpost/contract'
import { channelView } from '../../format/channels.ts'
import { updateVerb } from '../../verbs/update.ts'
import { requireServerBeside } from './own-url.ts'

export const updateChannel = updateVerb<Channel>({
  route: 'updateChannel',
  read: 'getChannel',
  view: channelView,
  summary: 'Change fields of an alert channel',
  check: requireServerBeside('update'),
  examples: [
    'channels update 4 --event incident.created --event incident.updated',
    'channels update 4 --enabled false',
    '--url http://a.example channels update 4 --url https://b.example',
  ],
})
