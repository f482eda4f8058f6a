import { type Metrics, MetricsQuery } from '@watchpost/contract'
import type { Verb } from '../../command.ts'
import { flagsOf, valuesOf } from '../../flags.ts'
import { metricsView } from '../../format/metrics.ts'
import { wrongFlags } from '../../usage-error.ts'
import { idOf } from '../../verbs/id.ts'
import { sendForItem } from '../../verbs/send.ts'

/** `metrics ID`: how a monitor did over a stretch of time. */
export const getMonitorMetrics: Verb = {
  name: 'metrics',
  summary: 'Uptime and response times of a monitor',
  words: [['<ID>', 'id of the monitor']],
  flags: () => flagsOf(MetricsQuery),
  flagsAre: 'Time',
  examples: [
    'monitors metrics 7',
    'monitors metrics 7 --from 2026-11-01T00:00:00Z --resolution 1d',
    'monitors metrics 7 -o json',
  ],
  async run({ session, words, given, flags }) {
    const { values: query, wrong } = valuesOf(flags, given)
    if (Object.keys(wrong).length > 0) throw wrongFlags(wrong)
    const input = { params: { id: idOf(words[0]) }, query: query as Record<string, string> }
    const { data } = await sendForItem<Metrics>(session.client, 'getMonitorMetrics', input)
    await session.out.item(data, metricsView)
  },
}
