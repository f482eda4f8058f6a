import type { CreatedChannel } from '@watchpost/contract'
import { channelView } from '../../format/channels.ts'
import { UsageError } from '../../usage-error.ts'
import { createVerb } from '../../verbs/create.ts'
import type { View } from '../../view.ts'

export const createChannel = createVerb<CreatedChannel>({
  route: 'createChannel',
  view: channelView as View<CreatedChannel>,
  secret: 'secret',
  summary: 'Create an alert channel, its secret shown once',
  // Here --url is the channel's, which the general message would contradict.
  check({ session }) {
    try {
      session.requireServer()
    } catch (error) {
      if (!(error instanceof UsageError) || !error.message.startsWith('no server')) throw error
      throw new UsageError(
        'no server given: --url after "create" is the channel\'s; set WATCHPOST_URL, or --url before "channels"',
      )
    }
  },
  examples: [
    'channels create --name ops --type webhook --url https://a.example',
    '--url http://127.0.0.1:8080 channels create -f channel.yaml -o json',
  ],
})
