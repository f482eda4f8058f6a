import type { App } from '@watchpost/contract'
import { appView } from '../../format/apps.ts'
import { deleteVerb } from '../../verbs/delete.ts'

export const deleteApp = deleteVerb<App>({
  route: 'deleteApp',
  read: 'getApp',
  view: appView,
  takesAlong: ' and its usage',
  summary: 'Delete an app; its keys are refused at once',
  examples: ['apps delete 1', 'apps delete 1 --yes'],
})
