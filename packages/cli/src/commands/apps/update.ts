import type { App } from '@watchpost/contract'
import { appView } from '../../format/apps.ts'
import { updateVerb } from '../../verbs/update.ts'

export const updateApp = updateVerb<App>({
  route: 'updateApp',
  read: 'getApp',
  view: appView,
  summary: 'Change fields of an app',
  examples: ['apps update 1 --name Shop', 'apps update 1 --allowed-origin https://*.shop.example'],
})
