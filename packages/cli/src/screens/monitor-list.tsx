import type { Monitor } from '@watchpost/contract'
import { Box, Text } from 'ink'
import { monitorView } from '../format/monitors.ts'
import { type Cell, gapText, layOut } from '../table.ts'
import { Frame, Toned } from './frame.tsx'
import { summaryOf } from './severity.ts'
import type { Reading } from './use-poll.ts'

const marker = '❯ '
const columnsShown = monitorView.columns.filter(column => column.title !== 'ID')

export interface MonitorListProps {
  url: string
  monitors: Monitor[]
  selected: number
  reading: Reading<unknown>
  columns: number
  rows: number
  colour: boolean
  now: number
}

/** All monitors, what is bad on top; as many as fit around the selected one. */
export function MonitorList({ url, monitors, selected, reading, columns, rows, colour, now }: MonitorListProps) {
  const room = Math.max(1, rows - 5)
  const from = Math.max(0, Math.min(selected - Math.floor(room / 2), monitors.length - room))
  const { header, rows: lines } = layOut(columnsShown, monitors, columns - marker.length, now)
  const shown = lines.slice(from, from + room)
  return (
    <Frame
      title={`Watchpost  ${url}`}
      state={summaryOf(monitors)}
      reading={reading}
      keys="↑↓ move   enter open   ? keys   q quit"
      {...{ colour, columns, rows }}
    >
      <Toned tone="dim" colour={colour}>
        {`${' '.repeat(marker.length)}${header.join(gapText)}`}
      </Toned>
      {monitors.length === 0 ? <Text>{'  No monitors yet: "monitorctl monitors create --help"'}</Text> : undefined}
      {shown.map((cells, index) => (
        <Row key={monitors[from + index]?.id} cells={cells} chosen={from + index === selected} colour={colour} />
      ))}
    </Frame>
  )
}

function Row({ cells, chosen, colour }: { cells: Cell[]; chosen: boolean; colour: boolean }) {
  return (
    <Box>
      <Text>{chosen ? marker : ' '.repeat(marker.length)}</Text>
      {cells.map(({ text, tone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
        <Text key={index} bold={chosen} wrap="truncate">
          {index === 0 ? '' : gapText}
          <Toned tone={tone} colour={colour}>
            {text}
          </Toned>
        </Text>
      ))}
    </Box>
  )
}
