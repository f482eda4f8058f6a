import { Option } from 'commander'
import type { Verb } from '../command.ts'
import { parseSeconds } from '../duration.ts'
import { filesOption, loadGiven } from '../files/ask.ts'
import { withPlaces } from '../files/faults.ts'
import { backtestText } from '../format/backtest.ts'

export const verb: Verb = {
  name: 'backtest',
  summary: 'What files would have reported',
  description:
    'Replay the checks that the server has stored under the retries, quorum and thresholds of files, and show which ' +
    'incidents would have opened, and when, beside those that did. Single checks are kept for seven days. ' +
    'Changes nothing.',
  options: () => [filesOption(), new Option('--since <time>', 'how far back, such as 24h or 7d').default('7d')],
  forms: ['table', 'json', 'yaml'],
  examples: ['backtest -f monitoring/ --since 7d', 'backtest -f shop.yaml --since 24h -o json'],
  async run(call) {
    const { session, given } = call
    const back = parseSeconds(String(given.since), '--since') * 1000
    const loaded = await loadGiven(call)
    const since = new Date(Date.now() - back).toISOString()
    const body = { resources: loaded.resources, since }
    const { data } = await withPlaces(loaded, () => session.client.backtestResources({ body }))
    if (session.out.format === 'table') session.out.text(backtestText(data, session.out.colour))
    else await session.out.serialise(data)
  },
}
