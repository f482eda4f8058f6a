import { expect, test } from 'vitest'
import { readRunId, runId } from './run-id.ts'

test('an id says what it was made from', () => {
  const name = { monitor_id: 42, due_at: 1_800_000_000_000, nonce: 65_535 }
  expect(readRunId(runId(name))).toEqual(name)
  expect(runId(name).length).toBeLessThan(20)
})

test.each([
  'x',
  'a-b',
  'run-1',
  '01-b-c',
  'A-b-c',
  '1-kw0-zzzz',
  '1-zzzzzzzzzzz-1',
  '1-2-3-4',
  `${'z'.repeat(90)}-1-1`,
])('%s is an id like any other', text => {
  expect(readRunId(text)).toBeUndefined()
})
