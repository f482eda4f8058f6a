import { expect, test } from 'vitest'
import { Stopwatch } from './stopwatch.ts'

test('a phase that did not happen is absent', () => {
  const watch = new Stopwatch()
  watch.lap('connect_ms')
  expect(Object.keys(watch.timings)).toEqual(['connect_ms'])
})

test('a phase that happens twice adds up', () => {
  const watch = new Stopwatch()
  watch.lap('connect_ms')
  const once = watch.timings.connect_ms ?? 0
  const until = performance.now() + 2
  while (performance.now() < until);
  watch.lap('connect_ms')
  expect(watch.timings.connect_ms).toBeGreaterThanOrEqual(once + 1.9)
})

test('without an answer there is no response time, and a measured one is taken as it is', () => {
  const watch = new Stopwatch()
  expect(watch.responseTime).toBeNull()
  watch.answered(1.234)
  expect(watch.responseTime).toBe(1.23)
})
