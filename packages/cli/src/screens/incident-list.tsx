import type { IncidentSummary } from '@watchpost/contract'
import { Text } from 'ink'
import { sayDuration } from '../duration.ts'
import { incidentTones } from '../format/incidents.ts'
import { ago } from '../format/time.ts'
import { type Column, gapText, layOut, paint } from '../table.ts'
import type { Listing } from '../timeline/listing.ts'
import { Frame, Toned } from './frame.tsx'
import type { Reading } from './use-poll.ts'

const columnsShown: Column<IncidentSummary>[] = [
  { title: 'ID', cell: ({ id }) => String(id), right: true },
  { title: 'STATUS', cell: ({ status }) => String(status), tone: ({ status }) => incidentTones[status] },
  { title: 'SEVERITY', cell: ({ severity }) => String(severity), optional: 1 },
  { title: 'TITLE', cell: ({ title }) => title, least: 16 },
  { title: 'STARTED', cell: ({ started_at }, now) => ago(started_at, now), right: true, optional: 2 },
  { title: 'LASTED', cell: (incident, now) => span(incident, now), right: true, optional: 3 },
]

export interface IncidentListProps {
  url: string
  listing: Listing
  selected: number
  reading: Reading<unknown>
  /** What is typed or was just done; instead of the keys. */
  foot: string
  columns: number
  rows: number
  colour: boolean
  now: number
}

/** Incidents, the open ones first, then the latest; as many as fit around the selected one. */
export function IncidentList({ url, listing, selected, reading, foot, ...look }: IncidentListProps) {
  const { columns, rows, colour, now } = look
  const { incidents, more } = listing
  const room = Math.max(1, rows - (more > 0 ? 6 : 5))
  const from = Math.max(0, Math.min(selected - Math.floor(room / 2), incidents.length - room))
  const { header, rows: lines } = layOut(columnsShown, incidents, columns - 2, now)
  const shown = lines.slice(from, from + room).map((cells, index) => {
    const chosen = from + index === selected
    const line = `${chosen ? '❯' : ' '} ${cells.map(({ text, tone }) => paint(text, tone, colour)).join(gapText)}`
    return chosen ? paint(line, 'bold', colour) : line
  })
  return (
    <Frame
      title={`Incidents  ${url}`}
      state={`${listing.total} incidents, ${listing.open} open`}
      reading={reading}
      keys={foot || '↑↓ move   enter open   u say more   a acknowledge   R resolve   ? keys   q quit'}
      {...{ colour, columns, rows }}
    >
      <Toned tone="dim" colour={colour}>{`  ${header.join(gapText)}`}</Toned>
      <Text wrap="truncate">{shown.length > 0 ? shown.join('\n') : '  No incidents.'}</Text>
      {more > 0 ? <Toned tone="dim" colour={colour}>{`  ${more} older ones: ↓ past the end, or G`}</Toned> : undefined}
    </Frame>
  )
}

function span({ started_at, resolved_at }: IncidentSummary, now: number): string {
  return sayDuration(Math.max(0, (resolved_at === null ? now : Date.parse(resolved_at)) - Date.parse(started_at)))
}
