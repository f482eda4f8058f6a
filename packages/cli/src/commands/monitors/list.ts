import type { Monitor } from '@watchpost/contract'
import { Option } from 'commander'
import type { Verb } from '../../command.ts'
import { escapeDocument } from '../../escape.ts'
import { exitCodes } from '../../exit.ts'
import { valuesOf } from '../../flags.ts'
import { monitorView } from '../../format/monitors.ts'
import { UsageError, wrongFlags } from '../../usage-error.ts'
import { listVerb } from '../../verbs/list.ts'
import { allPages } from '../../verbs/pages.ts'

const list = listVerb({
  route: 'listMonitors',
  view: monitorView,
  summary: 'List monitors',
  examples: [
    'monitors list',
    'monitors list --status offline --sort -response_time_ms',
    'monitors list --type https --all -o json',
    'monitors list --reporter junit > watchpost.xml',
  ],
})

const names = ['github', 'junit', 'json'] as const

export const listMonitors: Verb = {
  ...list,
  options: () => [
    ...(list.options?.() ?? []),
    new Option('--reporter <form>', `every page, for CI; exit 1 if one is offline (one of ${names.join(', ')})`),
  ],
  async run(call) {
    const { session, given, flags } = call
    if (given.reporter === undefined) return list.run(call)
    const reporter = names.find(name => name === given.reporter)
    if (reporter === undefined) {
      throw new UsageError(`--reporter: must be one of ${names.join(', ')}, not "${given.reporter}"`)
    }
    if (session.flags.output !== undefined) throw new UsageError('--reporter: is a form of output; leave out --output')
    const { values: query, wrong } = valuesOf(flags, given)
    if (Object.keys(wrong).length > 0) throw wrongFlags(wrong)
    const { data } = await allPages<Monitor>(session.client, 'listMonitors', { query: { ...query, per_page: 100 } })
    const { reportOf } = await import('../../report/index.ts')
    session.io.stdout.write(escapeDocument(reportOf(reporter, data)))
    return data.some(({ status }) => String(status) === 'offline') ? exitCodes.bad : exitCodes.fine
  },
}
