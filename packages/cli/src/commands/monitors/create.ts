import type { Monitor } from '@watchpost/contract'
import { canAsk } from '../../ask.ts'
import { globalOptions, type Verb } from '../../command.ts'
import { monitorView } from '../../format/monitors.ts'
import { createVerb } from '../../verbs/create.ts'
import { checkWait, thenWait, waitOptions } from '../../verbs/wait.ts'

const plain = createVerb<Monitor>({
  route: 'createMonitor',
  view: monitorView,
  summary: 'Create a monitor',
  options: waitOptions,
  check: checkWait,
  afterwards: thenWait,
  examples: [
    'monitors create',
    'monitors create --name A --type https --target https://a.example',
    'monitors create --name Db --type tcp --target db:5432 --interval 30',
    `monitors create -f mail.yaml --option 'expect="220"'`,
    'monitors create -f shop.yaml --option keyword=ready --wait online',
    'monitors create -f shop.yaml --name Copy -o json',
  ],
})

export const createMonitor: Verb = {
  ...plain,
  description: 'Create a monitor. On a terminal and without flags it asks for what is needed, and tries it.',
  async run(call) {
    const ofAll = globalOptions().map(option => option.attributeName())
    const said = Object.keys(call.given).some(name => !ofAll.includes(name))
    if (said || !canAsk(call.session.io)) return plain.run(call)
    return (await import('../../wizard/monitor.ts')).makeMonitor(call)
  },
}
