import { Option } from 'commander'
import type { Call, Verb } from '../../command.ts'
import { parseDuration } from '../../duration.ts'
import { canOpenScreen } from '../../io.ts'
import { UsageError } from '../../usage-error.ts'
import { idOf } from '../../verbs/id.ts'
import { feedOf } from '../../watch/feed.ts'

// A token may ask 1,000 times an hour; every 5 s leaves room for other commands.
const defaultInterval = '5s'

export const watchMonitors: Verb = {
  name: 'watch',
  summary: 'Watch statuses as they change',
  description:
    'Watch statuses as they change: a screen on a terminal, elsewhere a line for each monitor and each change ' +
    '(-o json: one object a line).',
  words: [['[ID]', 'only this monitor']],
  options: () => [new Option('--interval <time>', `between readings (default ${defaultInterval})`)],
  examples: ['monitors watch', 'monitors watch 7 --interval 10s', 'monitors watch -o json | jq .status'],
  run: watch,
}

async function watch({ session, words, given }: Call): Promise<number | undefined> {
  const { io, out } = session
  const id = words[0] === undefined ? undefined : idOf(words[0])
  const intervalMs = parseDuration(String(given.interval ?? defaultInterval), '--interval')
  if (intervalMs < 500) throw new UsageError('--interval: must be at least 500ms')
  if (out.format === 'yaml' || out.format === 'name') {
    throw new UsageError('--output: watch prints lines (table) or one object a line (json)')
  }
  const feed = feedOf(session)
  // Read once before a screen opens: a wrong address or token is an error, not an empty screen.
  const first = id === undefined ? await feed.monitors() : [(await feed.monitor(id)).monitor]
  if (out.format === 'table' && canOpenScreen(io)) {
    const { openWatch } = await import('../../screens/open.tsx')
    return openWatch({ io, feed, first, id, intervalMs, url: session.url, colour: out.colour })
  }
  const load =
    id === undefined ? feed.monitors : async () => [(await session.oneRound().getMonitor({ params: { id } })).data]
  const { watchLines } = await import('../../watch/lines.ts')
  await watchLines(load, first, out, { intervalMs, signal: io.signal ?? new AbortController().signal })
  return undefined
}
