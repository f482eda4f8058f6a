import { channelView } from '../../format/channels.ts'
import { deleteVerb } from '../../verbs/delete.ts'

export const deleteChannel = deleteVerb({
  route: 'deleteChannel',
  view: channelView,
  summary: 'Delete an alert channel',
  examples: ['channels delete 4', 'channels delete 4 --yes'],
})
