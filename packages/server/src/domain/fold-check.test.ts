import { expect, test } from 'vitest'
import { CheckBlock, checksPerBlock, decodeBlock, type KeptCheck } from './check-block.ts'
import { foldCheck, type MonitorMemory } from './fold-check.ts'
import { bucketOf, mergeRollups } from './rollup.ts'
import type { Policy } from './transition.ts'

const at = Date.parse('2026-11-20T23:30:00Z')
const minute = 60_000
const policy: Policy = {
  monitor_id: 7,
  interval_s: 60,
  timeout_s: 10,
  confirmations: 2,
  retry_interval_s: 5,
  counts_from: 0,
}

const memory = (): MonitorMemory => ({
  seq: 5,
  state: { status: 'pending', failures: 0, last_check_at: null, response_time_ms: null, due_at: at },
  votes: null,
  avoidProbe: null,
  announcedStatus: null,
  newestDueAt: 0,
  filedDueAt: 0,
  block: new CheckBlock(),
  bucket: null,
  closedTo: 0,
  fullBlocks: [],
  closed: [],
  late: [],
  moved: false,
})

const check = (checked_at: number, more: Partial<KeptCheck> = {}): KeptCheck => ({
  checked_at,
  status: 'online',
  response_us: 20_000,
  probe_id: 1,
  run: 'named',
  due_at: checked_at - 5,
  nonce: 9,
  evidence: false,
  ...more,
})

const fold = (into: MonitorMemory, checks: KeptCheck[]) => checks.map(each => foldCheck(into, each, policy))

/** Everything that is kept of the checks, filed or open. */
const allChecks = ({ fullBlocks, block }: MonitorMemory) =>
  [...fullBlocks.map(each => each.data), block.bytes()].flatMap(decodeBlock)
const allCounts = ({ closed, late, bucket }: MonitorMemory) =>
  mergeRollups(0, [...closed, ...late, ...(bucket === null ? [] : [bucket])])

test('checks in their order: five minutes are closed by the next, a block by its day or when it is full', () => {
  const kept = memory()
  const checks = Array.from({ length: 100 }, (_, index) => check(at + index * minute))
  fold(kept, checks)
  expect(kept.seq).toBe(105)
  expect(allChecks(kept)).toEqual(checks)
  // Half an hour before midnight, then as many as fit.
  expect(kept.fullBlocks.map(({ data }) => decodeBlock(data).length)).toEqual([30, checksPerBlock])
  expect(kept.closed.map(each => each.up)).toEqual(Array(19).fill(5))
  expect([kept.bucket?.up, kept.late]).toEqual([5, []])
  expect(kept.state.last_check_at).toBe(at + 99 * minute)
})

test('a check that comes just after its five minutes were closed is counted in them, not over them', () => {
  const kept = memory()
  fold(kept, [check(at), check(at + minute), check(at + 6 * minute), check(at + 2 * minute)])
  expect(kept.closed.map(({ bucket, up }) => [bucket, up])).toEqual([[bucketOf(at, '5m'), 3]])
  expect(kept.late).toEqual([])
})

test('whatever order they come in, each is kept once and counted once', () => {
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 20; round++) {
    const kept = memory()
    const checks = Array.from({ length: 300 }, (_, index) =>
      check(at + index * minute - (random(4) === 0 ? random(6 * 60) * minute : 0), { nonce: index }),
    )
    fold(kept, checks)
    const byNonce = (a: KeptCheck, b: KeptCheck) => a.nonce - b.nonce
    expect(allChecks(kept).sort(byNonce)).toEqual(checks)
    expect(allCounts(kept)).toMatchObject({ up: 300, response_count: 300, response_us_sum: 6_000_000 })
    // Rollups that nothing was written of before are told once each, and late ones are others.
    const closed = kept.closed.map(each => each.bucket)
    expect(new Set(closed).size).toBe(closed.length)
    // What is not among the open checks was due by then: else a repeat of it would pass for new.
    const open = new Set(decodeBlock(kept.block.bytes()).map(each => each.nonce))
    for (const each of checks) {
      expect(each.due_at).toBeLessThanOrEqual(kept.newestDueAt)
      if (!open.has(each.nonce)) expect(each.due_at).toBeLessThanOrEqual(kept.filedDueAt)
    }
    for (const { first_at, data } of kept.fullBlocks) {
      const days = decodeBlock(data).map(each => Math.floor(each.checked_at / 86_400_000))
      expect(new Set(days)).toEqual(new Set([Math.floor(first_at / 86_400_000)]))
    }
  }
})

test('where none are open, five minutes that may be written already are added to', () => {
  const kept = { ...memory(), closedTo: bucketOf(at, '5m') + 1 }
  fold(kept, [check(at)])
  expect([kept.bucket, kept.late.map(each => each.up)]).toEqual([null, [1]])
  fold(kept, [check(at + 5 * minute)])
  expect(kept.bucket?.up).toBe(1)
})

test('planned maintenance is counted apart', () => {
  const kept = memory()
  foldCheck(kept, check(at, { status: 'offline' }), policy, true)
  expect(kept.bucket).toMatchObject({ up: 0, down: 0, maintenance: 1 })
})
