import type { TraceSummary } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { scatterOf } from './scatter.ts'

const at = Date.parse('2026-11-21T09:30:00.000Z')
const trace = (minutes: number, duration_ms: number) =>
  ({ started_at: new Date(at + minutes * 60_000).toISOString(), duration_ms }) as TraceSummary

test('the newest is at the right, the longest at the top', () => {
  const { dots, from, to, longestMs } = scatterOf([trace(10, 50), trace(5, 200), trace(0, 0)])
  expect([from, to, longestMs]).toEqual([at, at + 600_000, 200])
  expect(dots.map(({ x, y }) => [x, y])).toEqual([
    [1, 0.75],
    [0.5, 0],
    [0, 1],
  ])
})

test('one alone is in the middle', () => {
  expect(scatterOf([trace(3, 0)]).dots[0]).toMatchObject({ x: 0.5, y: 0.5 })
})
