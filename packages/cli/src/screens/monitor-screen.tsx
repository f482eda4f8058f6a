import type { CheckRecord, Monitor } from '@watchpost/contract'
import { Text } from 'ink'
import { useCallback } from 'react'
import { escapeText } from '../escape.ts'
import { checkView, milliseconds, percent, statusTone } from '../format/monitors.ts'
import { ago } from '../format/time.ts'
import { type Cell, gapText, layOut } from '../table.ts'
import type { Feed } from '../watch/feed.ts'
import { fitText } from '../width.ts'
import { Frame, Toned } from './frame.tsx'
import { legendOf, seenOf, sparkline } from './sparkline.ts'
import { usePoll } from './use-poll.ts'

export interface MonitorScreenProps {
  feed: Feed
  first: Monitor
  intervalMs: number
  canGoBack: boolean
  /** Instead of the usual line at the bottom. */
  keys?: string
  columns: number
  rows: number
  colour: boolean
  now: number
}

// Title, facts, two blank lines, the sparkline with its legend, the header of the checks, keys, and the line kept free.
const otherLines = 10

/** One monitor: how it is, how fast it answered of late, its latest checks. */
export function MonitorScreen({ feed, first, intervalMs, canGoBack, keys, ...look }: MonitorScreenProps) {
  const { columns, rows, colour, now } = look
  const load = useCallback(() => feed.monitor(first.id), [feed, first.id])
  const reading = usePoll(load, { monitor: first, checks: undefined as CheckRecord[] | undefined }, intervalMs)
  const { monitor, checks } = reading.data
  const recent = (checks ?? []).slice(0, columns).toReversed().map(seenOf)
  const { header, rows: lines } = layOut(checkView.columns, checks ?? [], columns, now)
  return (
    <Frame
      title={monitor.name}
      state={`${String(monitor.type)} every ${monitor.interval} s`}
      reading={reading}
      keys={keys ?? (canGoBack ? 'esc back   ? keys   q quit' : '? keys   q quit')}
      {...{ colour, columns, rows }}
    >
      <Text wrap="truncate">{fitText(escapeText(monitor.target), columns)}</Text>
      <Text wrap="truncate">
        <Toned tone={statusTone(String(monitor.status))} colour={colour}>
          {String(monitor.status)}
        </Toned>
        {facts(monitor, now)}
      </Text>
      <Text> </Text>
      <Text wrap="truncate">{recent.length === 0 ? ' ' : sparkline(recent)}</Text>
      <Toned tone="dim" colour={colour}>
        {checks === undefined ? 'Reading its checks…' : legendOf(recent, milliseconds)}
      </Toned>
      <Text> </Text>
      <Toned tone="dim" colour={colour}>
        {lines.length === 0 ? ' ' : header.join(gapText)}
      </Toned>
      {lines.slice(0, Math.max(1, rows - otherLines)).map((cells, index) => (
        <CheckLine key={checks?.[index]?.run_id} cells={cells} colour={colour} />
      ))}
    </Frame>
  )
}

function CheckLine({ cells, colour }: { cells: Cell[]; colour: boolean }) {
  return (
    <Text wrap="truncate">
      {cells.map(({ text, tone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
        <Toned key={index} tone={tone} colour={colour}>
          {index === 0 ? text : gapText + text}
        </Toned>
      ))}
    </Text>
  )
}

function facts(monitor: Monitor, now: number): string {
  return [
    '',
    milliseconds(monitor.response_time_ms),
    `${percent(monitor.uptime_24h)} in 24 h`,
    `checked ${ago(monitor.last_check_at, now)}`,
  ].join('   ')
}
