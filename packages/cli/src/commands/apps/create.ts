import type { App } from '@watchpost/contract'
import { appView } from '../../format/apps.ts'
import { createVerb } from '../../verbs/create.ts'

export const createApp = createVerb<App>({
  route: 'createApp',
  view: appView,
  summary: 'Create an app, with a token for OTLP and a key for RUM',
  examples: ['apps create --name Shop', 'apps create --name Shop --allowed-origin https://shop.example'],
})
