import type { Monitor } from '@watchpost/contract'
import { monitorView } from '../../format/monitors.ts'
import { createVerb } from '../../verbs/create.ts'
import { checkWait, thenWait, waitOptions } from '../../verbs/wait.ts'

export const createMonitor = createVerb<Monitor>({
  route: 'createMonitor',
  view: monitorView,
  summary: 'Create a monitor',
  options: waitOptions,
  check: checkWait,
  afterwards: thenWait,
  examples: [
    'monitors create --name A --type https --target https://a.example',
    'monitors create --name Db --type tcp --target db:5432 --interval 30',
    'monitors create -f shop.yaml --option keyword=ready --wait online',
    'monitors create -f shop.yaml --name Copy -o json',
  ],
})
