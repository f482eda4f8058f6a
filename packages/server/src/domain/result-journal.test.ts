import { expect, test } from 'vitest'
import type { KeptCheck } from './check-block.ts'
import { decodeJournal, encodeJournal } from './result-journal.ts'

const at = 1_800_000_000_000
const entry = (index: number) => ({
  monitor_id: 1 + index * 7919,
  seq: index * 1_000_003,
  planned: index % 3 === 0,
  check: {
    checked_at: at - index * 977,
    status: (['online', 'offline', 'error'] as const)[index % 3],
    response_us: index % 2 === 0 ? 20_000 + index : null,
    probe_id: 1 + (index % 2),
    run: (['named', 'given', 'foreign'] as const)[index % 3],
    due_at: at - index * 977 - (index % 3 === 0 ? 5 : 0),
    nonce: index,
    evidence: index % 2 === 1,
  } as KeptCheck,
})

test('entries come back as they were', () => {
  const entries = Array.from({ length: 100 }, (_, index) => entry(index))
  const bytes = encodeJournal(entries)
  expect(decodeJournal(bytes)).toEqual(entries)
  expect(bytes.length / entries.length).toBeLessThan(22)
  expect(decodeJournal(encodeJournal([]))).toEqual([])
})

test('bytes that are cut are refused', () => {
  const bytes = encodeJournal([entry(1), entry(2)])
  for (let length = 0; length < bytes.length; length++) {
    expect(() => decodeJournal(bytes.subarray(0, length)), String(length)).toThrow(RangeError)
  }
})
