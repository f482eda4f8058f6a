import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { escapeText } from '../escape.ts'
import type { Tone } from '../table.ts'
import { fitText } from '../width.ts'
import type { Reading } from './use-poll.ts'

const colours = { good: 'green', bad: 'red', warn: 'yellow' } as const

/** Text in the colour of its meaning, where colour is wanted. */
export function Toned({ tone, colour, children }: { tone?: Tone | undefined; colour: boolean; children: string }) {
  if (!colour || tone === undefined) return <Text wrap="truncate">{children}</Text>
  if (tone === 'dim') {
    return (
      <Text wrap="truncate" dimColor>
        {children}
      </Text>
    )
  }
  return (
    <Text wrap="truncate" color={colours[tone]}>
      {children}
    </Text>
  )
}

/** A screen: what it is on top, its state beside it, keys at the bottom. */
export function Frame(props: {
  title: string
  state: string
  reading: Reading<unknown>
  keys: string
  colour: boolean
  columns: number
  rows: number
  children: ReactNode
}) {
  const { title, state, reading, keys, colour, columns, rows } = props
  const right = ` ${state}`
  const left = fitText(escapeText(title), Math.max(10, columns - right.length))
  const stale = reading.trouble === undefined ? undefined : staleLine(reading.at, reading.trouble)
  return (
    // One line less than the terminal has: a full one would scroll, which flickers.
    <Box flexDirection="column" width={columns} height={Math.max(4, rows - 1)}>
      <Text bold wrap="truncate">
        {left + right}
      </Text>
      <Box flexDirection="column" flexGrow={1} overflow="hidden">
        {props.children}
      </Box>
      {stale === undefined ? (
        <Toned tone="dim" colour={colour}>
          {fitText(keys, columns)}
        </Toned>
      ) : (
        <Toned tone="warn" colour={colour}>
          {fitText(escapeText(stale), columns)}
        </Toned>
      )}
    </Box>
  )
}

function staleLine(at: number, trouble: string): string {
  return `stale since ${new Date(at).toTimeString().slice(0, 8)}, retrying: ${trouble.replace(/^Cannot reach \S+: /, '')}`
}
