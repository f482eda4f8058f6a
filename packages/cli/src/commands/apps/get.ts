import type { App } from '@watchpost/contract'
import { appView } from '../../format/apps.ts'
import { getVerb } from '../../verbs/get.ts'

export const getApp = getVerb<App>({
  route: 'getApp',
  view: appView,
  summary: 'Show an app and its keys',
  examples: ['apps get 1', 'apps get 1 -o json'],
})
