import { expect, test } from 'vitest'
import { meanOf, type Region, sideBySide, stacked } from './region-lines.ts'

const at = (minute: number) => new Date(minute * 60_000).toISOString()
const point = (minute: number, ms: number, timings: object | null = null) => ({
  at: at(minute),
  uptime: 100,
  average: ms,
  p50: ms,
  p95: ms * 2,
  p99: ms * 3,
  checks: 1,
  timings,
})
const region = (name: string, series: ReturnType<typeof point>[]) =>
  ({ region: name, uptime: 100, checks: series.length, series }) as unknown as Region

test('regions share one axis; where one did not look, its line has a gap', () => {
  const { times, lines } = sideBySide(
    [region('eu', [point(0, 10), point(10, 12)]), region('us', [point(5, 90)])],
    'p95',
  )
  expect(times).toEqual([0, 300, 600])
  expect(lines).toEqual([
    { label: 'eu', values: [20, null, 24] },
    { label: 'us', values: [null, 180, null] },
  ])
})

test('phases lie one upon the other, the last on top, and what is hidden leaves no room', () => {
  const eu = region('eu', [
    point(0, 10, { connect_ms: 2, first_byte_ms: 8 }),
    point(5, 11),
    point(10, 12, { connect_ms: 3 }),
  ])
  const { times, layers } = stacked(eu, new Set())
  expect(times).toEqual([0, 600])
  expect(layers).toEqual([
    { phase: 'first_byte_ms', own: [8, 0], tops: [10, 3] },
    { phase: 'connect_ms', own: [2, 3], tops: [2, 3] },
  ])
  expect(stacked(eu, new Set(['connect'])).layers[0]).toEqual({ phase: 'first_byte_ms', own: [8, 0], tops: [8, 0] })
  expect([meanOf(eu, 'connect_ms'), meanOf(eu, 'first_byte_ms'), meanOf(eu, 'tls_ms')]).toEqual([2.5, 8, null])
})

test('time in which nobody looked is no slope', () => {
  const { times, layers } = stacked(
    region(
      'eu',
      [0, 5, 10, 60, 65].map(minute => point(minute, 1, { connect_ms: minute })),
    ),
    new Set(),
  )
  expect(times).toEqual([0, 300, 600, 900, 3600, 3900])
  expect(layers[0]?.tops).toEqual([0, 5, 10, null, 60, 65])
})
