import { channelView } from '../../format/channels.ts'
import { getVerb } from '../../verbs/get.ts'

export const getChannel = getVerb({
  route: 'getChannel',
  view: channelView,
  summary: 'Show one alert channel',
  examples: ['channels get 4', 'channels get 4 -o yaml'],
})
