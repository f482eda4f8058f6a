import type { TraceSpan } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { unfolded, waterfallOf } from './waterfall.ts'

const span = (span_id: string, parent_span_id: string | null, at: number, duration_ms: number) =>
  ({ span_id, parent_span_id, started_at: new Date(1000 + at).toISOString(), duration_ms, service: 'web' }) as TraceSpan
const drawn = (spans: TraceSpan[]) => waterfallOf(spans).rows.map(row => [row.span.span_id, row.depth, row.below])

test('children are below their parents, in the order in which they began', () => {
  const spans = [span('c', 'a', 50, 10), span('b', 'a', 10, 30), span('d', 'b', 12, 5), span('a', null, 0, 100)]
  expect(drawn(spans)).toEqual([
    ['a', 0, 3],
    ['b', 1, 1],
    ['d', 2, 0],
    ['c', 1, 0],
  ])
  const { rows } = waterfallOf(spans)
  expect(rows.map(({ left, width }) => [left, width])).toEqual([
    [0, 100],
    [10, 30],
    [12, 5],
    [50, 10],
  ])
  expect(unfolded(rows, new Set(['b'])).map(row => row.span.span_id)).toEqual(['a', 'b', 'c'])
})

test('no span is lost: a parent that has not come, one that is its own, two that are of each other', () => {
  const spans = [span('a', 'gone', 0, 1), span('b', 'b', 1, 1), span('c', 'd', 2, 1), span('d', 'c', 3, 1)]
  expect(drawn(spans).map(([id]) => id)).toEqual(['a', 'b', 'c', 'd'])
})

test('a trace of one span without a length fills nothing and divides by nothing', () => {
  expect(waterfallOf([span('a', null, 0, 0)]).rows[0]).toMatchObject({ left: 0, width: 0 })
})
