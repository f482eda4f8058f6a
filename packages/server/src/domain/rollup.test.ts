import { describe, expect, test } from 'vitest'
import {
  addCheck,
  bucketOf,
  bucketStart,
  type CountedCheck,
  decodeRollup,
  derive,
  emptyRollup,
  encodeRollup,
  mergeRollups,
  type Rollup,
  rollUp,
  spansOf,
} from './rollup.ts'
import { BadBytesError } from './varint.ts'

const check = (status: CountedCheck['status'], response_time_ms: number | null = null, planned = false) => ({
  status,
  response_time_ms,
  planned,
})
const rollupOf = (bucket: number, checks: CountedCheck[]): Rollup => checks.reduce(addCheck, emptyRollup(bucket))

const some = [
  check('online', 81.2),
  check('online', 95),
  check('offline', 4000.5),
  check('offline'),
  check('error', 12),
  check('online', 50, true),
  check('offline', null, true),
]

test('a check is counted once, as what it is', () => {
  expect(rollupOf(9, some)).toMatchObject({
    bucket: 9,
    up: 2,
    down: 2,
    errors: 1,
    maintenance: 2,
    response_us_sum: 81_200 + 95_000 + 4_000_500,
    response_count: 3,
  })
})

test('what a probe could not see and what was planned leaves no response time', () => {
  expect(rollupOf(1, [check('error', 12), check('online', 50, true)]).histogram.size).toBe(0)
})

test('stretches begin where UTC has them', () => {
  const at = Date.parse('2026-11-21T09:34:56.789Z')
  const starts = (['5m', '1h', '1d'] as const).map(name =>
    new Date(bucketStart(bucketOf(at, name), name)).toISOString(),
  )
  expect(starts).toEqual(['2026-11-21T09:30:00.000Z', '2026-11-21T09:00:00.000Z', '2026-11-21T00:00:00.000Z'])
})

test('merging is counting all at once, in any order and grouping', () => {
  const [a, b, c] = [some.slice(0, 3), some.slice(3, 4), some.slice(4)].map(part => rollupOf(9, part)) as [
    Rollup,
    Rollup,
    Rollup,
  ]
  const all = rollupOf(9, some)
  expect(mergeRollups(9, [a, b, c])).toEqual(all)
  expect(mergeRollups(9, [mergeRollups(9, [c, b]), a])).toEqual(all)
  expect(mergeRollups(9, [mergeRollups(9, []), all])).toEqual(all)
})

describe('derivation', () => {
  const fives = [24, 25, 35, 36, 290].map(bucket => rollupOf(bucket, some))

  test('makes hours of five minutes and days of hours', () => {
    const hours = derive(fives, '5m', '1h')
    expect(hours.map(({ bucket, up }) => [bucket, up])).toEqual([
      [2, 6],
      [3, 2],
      [24, 2],
    ])
    expect(derive(hours, '1h', '1d').map(({ bucket, up }) => [bucket, up])).toEqual([
      [0, 8],
      [1, 2],
    ])
  })

  test('of hours or of five minutes gives the same days', () => {
    expect(derive(derive(fives, '5m', '1h'), '1h', '1d')).toEqual(derive(fives, '5m', '1d'))
  })

  test('twice changes nothing', () => {
    const hours = derive(fives, '5m', '1h')
    expect(derive(hours, '1h', '1h')).toEqual(hours)
    expect(derive(fives, '5m', '1h')).toEqual(hours)
  })
})

describe('as bytes', () => {
  test('it comes back the same', () => {
    const rollup = rollupOf(5_984_000, some)
    expect(decodeRollup(encodeRollup(rollup))).toEqual(rollup)
    expect(decodeRollup(encodeRollup(emptyRollup(3)))).toEqual(emptyRollup(3))
  })

  test('five checks take few', () => {
    const rollup = rollupOf(
      5_984_000,
      [81, 84, 90, 92, 130].map(ms => check('online', ms)),
    )
    expect(encodeRollup(rollup).length).toBeLessThan(25)
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['half of it', encodeRollup(rollupOf(5_984_000, some)).slice(0, 6)],
    ['one byte less', encodeRollup(rollupOf(5_984_000, some)).slice(0, -1)],
  ])('refuses %s', (_, bytes) => {
    expect(() => decodeRollup(bytes)).toThrow(BadBytesError)
  })
})

describe('where to read', () => {
  const at = (text: string) => Date.parse(`2026-11-${text}:00Z`)
  const hour = (text: string) => bucketOf(at(text), '1h')
  const told = (spans: ReturnType<typeof spansOf>) =>
    spans.map(({ resolution, from, to }) =>
      [from, to].map(bucket => new Date(bucketStart(bucket, resolution)).toISOString().slice(8, 16)).concat(resolution),
    )

  test('days come from days, the open day from hours, the open hour from five minutes', () => {
    expect(told(spansOf('1d', at('19T12:00'), at('21T09:32'), hour('21T09:00')))).toEqual([
      ['19T00:00', '21T00:00', '1d'],
      ['21T00:00', '21T09:00', '1h'],
      ['21T09:00', '22T00:00', '5m'],
    ])
  })

  test('what is not rolled up yet comes from what is', () => {
    expect(told(spansOf('1d', at('19T00:00'), at('21T00:00'), hour('19T07:00')))).toEqual([
      ['19T00:00', '19T07:00', '1h'],
      ['19T07:00', '21T00:00', '5m'],
    ])
    expect(told(spansOf('1h', at('19T00:00'), at('21T00:00'), 0))).toEqual([['19T00:00', '21T00:00', '5m']])
  })

  test('what is all rolled up comes from one place', () => {
    const rolledTo = hour('21T09:00')
    expect(told(spansOf('1d', at('10T00:00'), at('21T00:00'), rolledTo))).toEqual([['10T00:00', '21T00:00', '1d']])
    expect(told(spansOf('1h', at('20T07:30'), at('20T08:30'), rolledTo))).toEqual([['20T07:00', '20T09:00', '1h']])
    expect(told(spansOf('5m', at('20T07:31'), at('20T07:36'), rolledTo))).toEqual([['20T07:30', '20T07:40', '5m']])
  })
})

test('rolling up makes a day once it is over, of all its hours', () => {
  const fives = [24, 40, 290].map(bucket => rollupOf(bucket, some))
  const earlier = [rollupOf(1, some)]
  const made = rollUp(earlier, fives, 25)
  expect(made.hours.map(({ bucket }) => bucket)).toEqual([2, 3, 24])
  expect(made.days.map(({ bucket, up }) => [bucket, up])).toEqual([[0, 6]])
  expect(rollUp(earlier, fives.slice(0, 2), 4).days).toEqual([])
})
