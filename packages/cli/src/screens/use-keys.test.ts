import type { Key } from 'ink'
import { expect, test } from 'vitest'
import { firstOf, type Pressed } from './use-keys.ts'

const key = { ctrl: false, meta: false, return: false } as Key

/** What comes in one read, key by key; a line is typed until Enter. */
function keysOf(input: string, isTyped: boolean): string[] {
  const keys: string[] = []
  let rest: Pressed | undefined = { input, key }
  while (rest !== undefined) {
    const [first, more]: [Pressed, Pressed | undefined] = firstOf(rest, isTyped)
    keys.push(first.key.return ? 'enter' : first.key.ctrl ? `C-${first.input}` : first.input)
    if (first.key.return) isTyped = false
    rest = more
  }
  return keys
}

test.each([
  ['on it', ['on it']],
  ['on it\r', ['on it', 'enter']],
  ['on it\rjq', ['on it', 'enter', 'j', 'q']],
  ['\u0015on\tit\nnow\r\nj', ['C-u', 'on\tit\nnow', 'enter', 'j']],
  ['東京\r東京', ['東京', 'enter', '東', '京']],
])('while a line is typed, %j is %j', (input, keys) => {
  expect(keysOf(input, true)).toEqual(keys)
})

test('else each character is a key, and a key that Ink knows stays what it is', () => {
  expect(keysOf('jj\rq', false)).toEqual(['j', 'j', 'enter', 'q'])
  const up = { input: '', key: { ...key, upArrow: true } }
  expect(firstOf(up, true)).toEqual([up, undefined])
})
