import type { CreatedChannel } from '@watchpost/contract'
import { channelView } from '../../format/channels.ts'
import { createVerb } from '../../verbs/create.ts'
import type { View } from '../../view.ts'
import { requireServerBeside } from './own-url.ts'

export const createChannel = createVerb<CreatedChannel>({
  route: 'createChannel',
  view: channelView as View<CreatedChannel>,
  secret: 'secret',
  hasSecret: ({ type }) => type === undefined || type === 'webhook',
  summary: 'Create an alert channel; the signing secret of a webhook is shown once',
  check: requireServerBeside('create'),
  examples: [
    'channels create --name ops --type webhook --url https://a.example',
    'channels create --name team --type slack --url "$SLACK_WEBHOOK_URL"',
    'channels create --name night --type email --to ops@a.example',
    'channels create --name chat --type telegram -f chat.yaml',
    '--url http://127.0.0.1:8080 channels create -f channel.yaml -o json',
  ],
})
