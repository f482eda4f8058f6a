import { expect, test } from 'vitest'
import { type Attempt, failuresWithin, replay, type Trial } from './backtest.ts'

const minute = 60_000
const start = Date.parse('2026-03-01T00:00:00Z')

/** One attempt a minute: `.` online in 100 ms, `s` online in 900 ms, `x` offline, `t` failed as too slow, `e` error. */
function attempts(story: string, region = '', probe_id = 1, shift = 0): Attempt[] {
  return [...story].map((letter, index) => ({
    checked_at: start + index * minute + shift,
    status: letter === 'e' ? 'error' : 'xt'.includes(letter) ? 'offline' : 'online',
    response_time_ms: 'st'.includes(letter) ? 900 : letter === '.' ? 100 : null,
    probe_id,
    region,
    error_kind: letter === 'x' ? 'connect_refused' : letter === 't' ? 'too_slow' : null,
    error_message: letter === 'x' ? 'refused' : letter === 't' ? 'slow' : null,
  }))
}

const trial = (more: Partial<Trial> & { confirmations?: number } = {}): Trial => ({
  policy: {
    monitor_id: 1,
    interval_s: 60,
    timeout_s: 10,
    confirmations: more.confirmations ?? 2,
    retry_interval_s: 5,
    counts_from: 0,
  },
  max_response_time_ms: undefined,
  regions: null,
  tells: () => true,
  ...more,
})

/** Minutes of each outage: when it opened, and when it was over. */
const minutes = (story: Attempt[], given: Trial) =>
  replay(story, given).map(({ opened_at, resolved_at }) => [
    (opened_at - start) / minute,
    resolved_at === null ? null : (resolved_at - start) / minute,
  ])

test('as many failures in a row as the file asks for open an incident', () => {
  const story = attempts('..x..xxx..xx')
  expect(minutes(story, trial({ confirmations: 1 }))).toEqual([
    [2, 3],
    [5, 8],
    [10, null],
  ])
  expect(minutes(story, trial({ confirmations: 2 }))).toEqual([
    [6, 8],
    [11, null],
  ])
  expect(minutes(story, trial({ confirmations: 4 }))).toEqual([])
})

test('a threshold makes slow answers failures, and one that is gone makes them good', () => {
  expect(minutes(attempts('.ss.'), trial({ max_response_time_ms: 500 }))).toEqual([[2, 3]])
  expect(minutes(attempts('.tt.'), trial())).toEqual([])
  expect(minutes(attempts('.tt.'), trial({ max_response_time_ms: 1000 }))).toEqual([])
  expect(minutes(attempts('.tt.'), trial({ max_response_time_ms: 800 }))).toEqual([[2, 3]])
})

test('the own trouble of a probe is no failure', () => {
  expect(minutes(attempts('.xexe.'), trial())).toEqual([[3, 5]])
  expect(minutes(attempts('.eee.'), trial())).toEqual([])
})

test('regions vote, as many as the quorum asks for', () => {
  const story = [
    ...attempts('..xxxx..', 'eu', 1),
    ...attempts('....xx..', 'us', 2, 1000),
    ...attempts('........', 'ap', 3, 2000),
    ...attempts('xxxxxxxx', 'elsewhere', 4, 3000),
  ].sort((a, b) => a.checked_at - b.checked_at)
  const regions = ['eu', 'us', 'ap']
  const opened = (quorum: 'any' | 'majority' | 'all' | number) =>
    replay(story, trial({ regions: { regions, quorum } })).map(({ opened_at }) =>
      Math.floor((opened_at - start) / minute),
    )
  expect(opened('any')).toEqual([3])
  expect(opened('majority')).toEqual([5])
  expect(opened(2)).toEqual([5])
  expect(opened('all')).toEqual([])
})

test('what fails in maintenance opens nothing, unless it lasts', () => {
  const until = (end: number) => (at: number) => at >= start + end * minute
  expect(minutes(attempts('xxxx..'), trial({ tells: until(5) }))).toEqual([])
  expect(minutes(attempts('xxxx..'), trial({ tells: until(3) }))).toEqual([[3, 4]])
})

test('says why it opened and how many checks failed', () => {
  expect(replay(attempts('.xxx.'), trial())[0]).toMatchObject({ checks: 2, error: 'refused' })
})

test('failures are counted between two moments, both among them', () => {
  const story = attempts('x.xx.ex')
  const times = (from: number, to: number) =>
    failuresWithin(story, start + from * minute, start + to * minute).map(each => (each.checked_at - start) / minute)
  expect(times(0, 3)).toEqual([0, 2, 3])
  expect(times(1, Number.POSITIVE_INFINITY)).toEqual([2, 3, 6])
  expect(times(4, 5)).toEqual([])
  expect(times(7, 9)).toEqual([])
})
