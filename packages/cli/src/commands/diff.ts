import { Option } from 'commander'
import type { Verb } from '../command.ts'
import { exitCodes } from '../exit.ts'
import { askOf, filesOption, loadGiven, sourceOptions } from '../files/ask.ts'
import { withPlaces } from '../files/faults.ts'
import { planSummary, planText } from '../format/plan.ts'

export const verb: Verb = {
  name: 'diff',
  summary: 'What an apply of files would change',
  description: 'Show what an apply of files would change, property by property. Changes nothing.',
  options: () => [
    filesOption(),
    new Option('--exit-code', 'exit with 1 where anything would change'),
    ...sourceOptions(),
  ],
  examples: ['diff -f monitoring/', 'diff -f monitoring/ --exit-code', 'diff -f shop.yaml --prune -o json'],
  async run(call) {
    const { session, given } = call
    const { out } = session
    const loaded = await loadGiven(call)
    const body = askOf(loaded, given)
    const { data: plan } = await withPlaces(loaded, () => session.client.planResources({ body }))
    if (out.format === 'table') {
      out.text(planText(plan, out.colour))
      out.line(planSummary(plan))
    } else if (out.format === 'name') for (const { key } of plan.changes) out.line(key)
    else await out.serialise(plan)
    return given.exitCode === true && plan.changes.length > 0 ? exitCodes.bad : exitCodes.fine
  },
}
