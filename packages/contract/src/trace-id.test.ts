import { expect, test } from 'vitest'
import { runId } from './run-id.ts'
import { traceIdOf, traceparentOf } from './trace-id.ts'

test('the trace id of a run is the start of the SHA-256 of its id', () => {
  // printf %s abc | sha256sum
  expect(traceIdOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223')
})

test('traceparent carries the trace id as W3C Trace Context writes it', () => {
  expect(traceparentOf('abc')).toBe('00-ba7816bf8f01cfea414140de5dae2223-b00361a396177a9c-01')
})

test('runs that differ by one have nothing in common', () => {
  const ids = Array.from({ length: 1000 }, (_, nonce) => traceIdOf(runId({ monitor_id: 1, due_at: 1, nonce })))
  expect(new Set(ids.map(id => id.slice(0, 8))).size).toBe(1000)
})
