import { Text } from 'ink'
import { Frame } from './frame.tsx'
import type { Reading } from './use-poll.ts'

const keys = [
  ['↑ ↓  j k', 'move'],
  ['PgUp PgDn', 'move a page'],
  ['Home End  g G', 'first and last'],
  ['enter', 'open a monitor'],
  ['esc', 'back to the list'],
  ['?', 'these keys'],
  ['q', 'quit'],
]

/** The keys of the watch. */
export function Keys(props: { reading: Reading<unknown>; columns: number; rows: number; colour: boolean }) {
  return (
    <Frame title="Keys" state="" keys="any key: back" {...props}>
      {keys.map(([key = '', meaning]) => (
        <Text key={key}>{`  ${key.padEnd(15)}${meaning}`}</Text>
      ))}
    </Frame>
  )
}
