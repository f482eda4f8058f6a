import { expect, test } from 'vitest'
import { attemptsOf } from './attempts.ts'

/** `1u 2d`: probe 1 saw it up, then probe 2 down; `e` is trouble of the probe. Times are 1, 2, 3 … */
const checks = (text: string) =>
  text.split(' ').map((word, index) => ({
    checked_at: index + 1,
    status: ({ u: 'online', d: 'offline', e: 'error' } as const)[word[1] as 'u'],
    probe_id: Number(word[0]),
  }))

test.each<[string, string, string, number, number, boolean, number[]]>([
  ['failures in a row', '1u 1d 1d', 'offline', 3, 0, false, [2, 3]],
  ['by several probes', '1u 1d 2d', 'offline', 3, 0, false, [2, 3]],
  ['without the trouble of a probe', '1u 1d 1e 1d', 'offline', 4, 0, false, [2, 4]],
  ['not those before the last change, and none after this', '1d 1d 1d 1d', 'offline', 3, 1, false, [2, 3]],
  ['of regions, each in a row', '1d 2u 1d 2d 1d', 'offline', 5, 0, true, [1, 3, 4, 5]],
  ['a success', '1d 1d 1u 1u', 'online', 3, 0, false, [3]],
  ['nothing is kept', '1u', 'offline', 0, 0, false, []],
])('%s', (_, text, new_status, decided_at, after, regional, expected) => {
  const found = attemptsOf(checks(text), { new_status, decided_at, after, regional })
  expect(found.map(each => each.checked_at)).toEqual(expected)
})
