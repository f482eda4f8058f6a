import { describe, expect, test } from 'vitest'
import { type MonitorState, type Policy, transition } from './transition.ts'

const policy: Policy = {
  monitor_id: 7,
  interval_s: 60,
  timeout_s: 10,
  confirmations: 2,
  retry_interval_s: 5,
  counts_from: 0,
}
const at = 1_800_000_000_000
const pending: MonitorState = {
  status: 'pending',
  failures: 0,
  last_check_at: null,
  response_time_ms: null,
  due_at: at,
}
const online: MonitorState = { ...pending, status: 'online', last_check_at: at - 60_000, response_time_ms: 12 }
const offline: MonitorState = { ...online, status: 'offline', failures: 2, response_time_ms: null }
const up = { status: 'online', response_time_ms: 20, checked_at: at } as const
const down = { status: 'offline', response_time_ms: null, checked_at: at } as const
const trouble = { status: 'error', response_time_ms: null, checked_at: at } as const

describe('a result moves a monitor', () => {
  test.each([
    [
      'pending to online on the first success',
      pending,
      up,
      'online',
      0,
      { old_status: 'pending', new_status: 'online' },
    ],
    ['nowhere on the first failure', online, down, 'online', 1, null],
    [
      'to offline on the confirming failure',
      { ...online, failures: 1 },
      down,
      'offline',
      2,
      { old_status: 'online', new_status: 'offline' },
    ],
    ['pending stays pending on the first failure', pending, down, 'pending', 1, null],
    [
      'pending to offline on the confirming failure',
      { ...pending, failures: 1 },
      down,
      'offline',
      2,
      { old_status: 'pending', new_status: 'offline' },
    ],
    ['nowhere while it stays offline', offline, down, 'offline', 3, null],
    [
      'offline to online on the first success',
      offline,
      up,
      'online',
      0,
      { old_status: 'offline', new_status: 'online' },
    ],
    ['and a success between failures starts the count anew', { ...online, failures: 1 }, up, 'online', 0, null],
  ] as const)('%s', (_, before, seen, status, failures, change) => {
    const after = transition(before, seen, policy)
    expect(after.state.status).toBe(status)
    expect(after.state.failures).toBe(failures)
    expect(after.change).toEqual(change)
  })
})

test('one confirmation means the first failure is the verdict', () => {
  expect(transition(online, down, { ...policy, confirmations: 1 }).state.status).toBe('offline')
})

test("the probe's own trouble moves nothing, in any state", () => {
  for (const before of [pending, online, { ...online, failures: 1 }, offline]) {
    const { state, change } = transition(before, trouble, policy)
    expect(change).toBeNull()
    expect({ ...state, due_at: before.due_at }).toEqual(before)
  }
})

test('a result older than the newest is history only', () => {
  const late = { ...down, checked_at: at - 60_001 }
  expect(transition({ ...online, failures: 1 }, late, policy)).toEqual({
    state: { ...online, failures: 1 },
    change: null,
  })
})

test('a check that started before the target changed is history only', () => {
  expect(transition(pending, up, { ...policy, counts_from: at + 1 }).state).toEqual(pending)
})

test('a paused monitor stays paused', () => {
  const paused = { ...online, status: 'paused', due_at: null } as const
  expect(transition(paused, down, policy).state).toEqual(paused)
})

test('a failure is confirmed soon, not a whole interval later', () => {
  expect(transition(online, down, policy).state.due_at).toBe(at + 5000)
})

test('a verdict goes back to the regular schedule', () => {
  const due = transition({ ...online, failures: 1 }, down, policy).state.due_at ?? 0
  expect(due - at).toBeGreaterThanOrEqual(6000)
  expect(due - at).toBeLessThan(66_000)
})

test('a monitor keeps its phase: slots are whole intervals apart', () => {
  const first = transition(online, up, policy).state.due_at ?? 0
  const second = transition(online, { ...up, checked_at: first }, policy).state.due_at ?? 0
  expect(second - first).toBe(60_000)
})
