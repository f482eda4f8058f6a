import type { Incident, IncidentSummary, IncidentUpdate } from '@watchpost/contract'
import { Text } from 'ink'
import { useEffect } from 'react'
import { escapeText } from '../escape.ts'
import { incidentTones } from '../format/incidents.ts'
import { ago, moment } from '../format/time.ts'
import { paint } from '../table.ts'
import { lasted, wrapped } from '../timeline/entries.ts'
import { fitText } from '../width.ts'
import { Frame, Toned } from './frame.tsx'
import type { Reading } from './use-poll.ts'

export interface IncidentScreenProps {
  incident: IncidentSummary
  /** Undefined until they are read. */
  updates: Incident['updates'] | undefined
  /** Lines from the end. */
  scrolled: number
  onScrolled(lines: number): void
  reading: Reading<unknown>
  keys: string
  columns: number
  rows: number
  colour: boolean
  now: number
}

// Title, facts, two blank lines, the line that says how much is out of sight, keys, and the line kept free.
const otherLines = 7

/** One incident: how it stands, and what was said, the latest at the end. */
export function IncidentScreen({
  incident,
  updates,
  scrolled,
  onScrolled,
  reading,
  keys,
  ...look
}: IncidentScreenProps) {
  const { columns, rows, colour, now } = look
  const lines = (updates ?? []).flatMap(update => linesOf(update, look))
  const room = Math.max(1, rows - otherLines)
  const most = Math.max(0, lines.length - room)
  useEffect(() => {
    if (scrolled > most) onScrolled(most)
  }, [scrolled, most, onScrolled])
  const until = lines.length - Math.min(scrolled, most)
  const from = Math.max(0, until - room)
  return (
    <Frame
      title={incident.title}
      state={`incident ${incident.id}, ${incident.source}`}
      reading={reading}
      keys={keys}
      {...{ colour, columns, rows }}
    >
      <Text wrap="truncate">
        <Toned tone={incidentTones[incident.status]} colour={colour}>
          {String(incident.status)}
        </Toned>
        {fitText(`   ${factsOf(incident, now)}`, columns - String(incident.status).length)}
      </Text>
      <Text> </Text>
      <Toned tone="dim" colour={colour}>
        {updates === undefined ? 'Reading what was said…' : `${outOfSight(from, lines.length - until) || ' '}`}
      </Toned>
      <Text wrap="truncate">{lines.length === 0 ? ' ' : lines.slice(from, until).join('\n')}</Text>
    </Frame>
  )
}

function linesOf(update: IncidentUpdate, { columns, colour, now }: { columns: number; colour: boolean; now: number }) {
  const { created_at, status, message } = update
  const head = `${moment(created_at)}  ${paint(String(status), incidentTones[status], colour)}  ${paint(ago(created_at, now), 'dim', colour)}`
  return [head, ...wrapped(escapeLines(message), Math.max(10, columns - 4)).map(line => `  │ ${line}`), '']
}

/** Lines stay lines; everything else that a terminal would obey does not. */
function escapeLines(text: string): string {
  return text.split(/\r?\n/).map(escapeText).join('\n')
}

function factsOf(incident: IncidentSummary, now: number): string {
  const { monitor_ids = [], status_page_ids = [] } = incident
  return [
    String(incident.severity),
    lasted(incident, now),
    ...(monitor_ids.length === 0 ? [] : [`monitors ${monitor_ids.join(', ')}`]),
    ...(status_page_ids.length === 0 ? [] : [`pages ${status_page_ids.join(', ')}`]),
  ].join('   ')
}

function outOfSight(above: number, below: number): string {
  const parts = [above > 0 ? `${above} lines above` : '', below > 0 ? `${below} lines below` : '']
  return parts.filter(part => part !== '').join(', ')
}
