import type { DueCheck } from '@watchpost/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { Schedule } from './schedule.ts'

const T = Date.parse('2026-11-21T09:00:00.000Z')
const iso = (ms: number) => new Date(T + ms).toISOString()
const horizonMs = 60_000

function due(id: number, more: { at?: number; lease?: number; interval?: number; run?: string; target?: string } = {}) {
  return {
    run_id: more.run ?? `leased-${id}`,
    monitor_id: id,
    type: 'http',
    target: more.target ?? 'http://127.0.0.1/',
    method: 'get',
    interval: more.interval ?? 10,
    timeout: 5,
    ssl_verify: true,
    options: {},
    due_at: iso(more.at ?? 0),
    lease_until: iso(more.lease ?? 60_000),
  } satisfies DueCheck
}

describe('Schedule', () => {
  let schedule: Schedule
  let counter: number
  /** Starts what is due and ends it at once. */
  const tick = (ms: number) => {
    const runs = schedule.takeDue(T + ms)
    for (const run of runs) schedule.finished(run.check.monitor_id)
    return runs.map(run => run.runId)
  }
  const poll = (ms: number, ...checks: DueCheck[]) => {
    for (const check of checks) schedule.put(check, T + ms)
    return schedule.polled(T + ms, horizonMs, new Set(checks.map(check => check.monitor_id)))
  }

  beforeEach(() => {
    counter = 0
    schedule = new Schedule(id => `own-${id}-${++counter}`)
  })

  it('runs a check when it is due, under the id the server gave, then every interval under ids of its own', () => {
    poll(0, due(1, { at: 3000 }))
    expect(schedule.nextAt()).toBe(T + 3000)
    expect(tick(2999)).toEqual([])
    expect(tick(3000)).toEqual(['leased-1'])
    expect(schedule.nextAt()).toBe(T + 13_000)
    expect(tick(13_004)).toEqual(['own-1-1'])
    // A late start does not shift the slots that follow.
    expect(schedule.nextAt()).toBe(T + 23_000)
  })

  it('starts a monitor once while it runs, and counts the slots it skips', () => {
    poll(0, due(1, { lease: 600_000 }))
    expect(schedule.takeDue(T)).toHaveLength(1)
    expect(schedule.takeDue(T + 10_000)).toEqual([])
    expect(schedule.takeDue(T + 25_000)).toEqual([])
    expect(schedule.missed).toBe(2)
    schedule.finished(1)
    expect(schedule.nextAt()).toBe(T + 30_000)
    expect(tick(30_000)).toEqual(['own-1-1'])
  })

  it('skips and counts slots that passed while the probe itself stood still', () => {
    poll(0, due(1, { lease: 600_000 }))
    tick(0)
    expect(tick(35_000)).toEqual(['own-1-1'])
    expect(schedule.missed).toBe(2)
    expect(schedule.nextAt()).toBe(T + 40_000)
  })

  it('does not count as missed what was late already when it was handed out', () => {
    poll(100_000, due(1, { at: 0, lease: 200_000 }))
    expect(tick(100_000)).toEqual(['leased-1'])
    expect(schedule.missed).toBe(0)
    expect(schedule.nextAt()).toBe(T + 110_000)
  })

  it('takes the next due time from the verdict: sooner to confirm a failure, later when the interval grew', () => {
    poll(0, due(1))
    tick(0)
    schedule.verdict(1, 'leased-1', T + 5000)
    expect(tick(5000)).toEqual(['own-1-1'])
    schedule.verdict(1, 'own-1-1', T + 45_000)
    expect(tick(44_999)).toEqual([])
    expect(tick(45_000)).toEqual(['own-1-2'])
  })

  it('ignores the verdict on an older run', () => {
    poll(0, due(1))
    tick(0)
    tick(10_000)
    schedule.verdict(1, 'leased-1', T + 12_000)
    expect(schedule.nextAt()).toBe(T + 20_000)
  })

  it('does not spin when the server keeps saying that a monitor is due now', () => {
    poll(0, due(1))
    tick(0)
    schedule.verdict(1, 'leased-1', T - 5000)
    expect(schedule.nextAt()).toBe(T + 250)
  })

  it.each([
    ['paused', (s: Schedule) => s.verdict(1, 'leased-1', null)],
    ['refused', (s: Schedule) => s.refused(1, 'leased-1')],
  ])('stops a monitor that the server calls %s', (_, say) => {
    poll(0, due(1), due(2))
    tick(0)
    say(schedule)
    expect(schedule.has(1)).toBe(false)
    expect(tick(10_000)).toEqual(['own-2-1'])
  })

  it('keeps a monitor handed out again when an older result of it is refused', () => {
    poll(0, due(1))
    tick(0)
    poll(1000, due(1, { run: 'again', at: 1000 }))
    schedule.refused(1, 'leased-1')
    schedule.verdict(1, 'leased-1', T + 50_000)
    expect(tick(1000)).toEqual(['again'])
  })

  it('runs a changed monitor at once with its new settings, after the run in flight', () => {
    poll(0, due(1, { target: 'http://old/' }))
    expect(schedule.takeDue(T).map(run => run.check.target)).toEqual(['http://old/'])
    poll(1000, due(1, { target: 'http://new/', run: 'changed', at: 1000 }))
    expect(schedule.takeDue(T + 1000)).toEqual([])
    schedule.finished(1)
    const [run] = schedule.takeDue(T + 1500)
    expect(run).toMatchObject({ runId: 'changed', check: { target: 'http://new/' } })
    expect(schedule.missed).toBe(0)
  })

  it('does not run again what is handed out under the id of a run whose result is still on its way', () => {
    poll(0, due(1))
    tick(0)
    poll(500, due(1, { lease: 90_000 }))
    expect(tick(600)).toEqual([])
    expect(schedule.nextAt()).toBe(T + 10_000)
  })

  describe('when a lease has run out', () => {
    it('drops a monitor that a later poll does not return: another probe has it', () => {
      poll(0, due(1))
      tick(0)
      expect(poll(59_000)).toEqual([])
      expect(poll(61_000)).toEqual([1])
      expect(schedule.size).toBe(0)
    })

    it('waits for a poll before running, and goes on under the new lease', () => {
      poll(0, due(1, { at: 60_000 }))
      expect(tick(60_000)).toEqual([])
      expect(schedule.needsPoll()).toBe(true)
      poll(60_100, due(1, { at: 60_000, lease: 120_000, run: 'second' }))
      expect(schedule.needsPoll()).toBe(false)
      expect(tick(60_200)).toEqual(['second'])
    })

    it('goes on checking while the server cannot be asked', () => {
      poll(0, due(1))
      for (let at = 0; at <= 50_000; at += 10_000) tick(at)
      expect(tick(60_000)).toEqual([])
      schedule.pollFailed()
      expect(tick(60_010)).toHaveLength(1)
      expect(tick(70_000)).toHaveLength(1)
      expect(tick(700_000)).toHaveLength(1)
    })

    it('keeps a monitor not due within the horizon, so that an outage does not leave it unwatched', () => {
      poll(0, due(1, { interval: 300 }))
      tick(0)
      expect(poll(100_000)).toEqual([])
      expect(poll(235_000)).toEqual([])
      schedule.pollFailed()
      expect(tick(300_000)).toEqual(['own-1-1'])
    })

    it('drops such a monitor once a poll should have returned it', () => {
      poll(0, due(1, { interval: 300 }))
      tick(0)
      expect(poll(241_000)).toEqual([1])
    })
  })

  it('spreads what a stall made late, and keeps every phase', () => {
    for (let id = 1; id <= 10_000; id++) schedule.put(due(id, { at: 10_000 + id, lease: 600_000 }), T)
    const starts: number[] = []
    // Ten thousand have fallen due, a thousand a second; the probe stood still from 12 s to 17 s.
    for (let at = 10_000; at < 20_000; at += 10) if (at <= 12_000 || at >= 17_000) starts.push(tick(at).length)
    expect(Math.max(...starts)).toBeLessThan(400)
    expect(schedule.missed).toBe(0)
    for (let at = 20_000; at <= 30_000; at += 10) tick(at)
    // Nothing of it is left when the next round begins.
    const phases = [...schedule.held()].map(({ check, dueAt }) => dueAt - T - check.monitor_id)
    expect(new Set(phases)).toEqual(new Set([30_000]))
  })

  it('starts a few late ones at once', () => {
    poll(0, due(1), due(2))
    expect(tick(9000)).toHaveLength(2)
  })

  it('goes on in the phase that an earlier process left, while the server is away', () => {
    const [held] = [{ check: { ...due(1), interval: 60 }, dueAt: T + 7000 }]
    schedule.restore([held], T + 3_600_000)
    schedule.pollFailed()
    expect(schedule.nextAt()).toBe(T + 3_607_000)
    expect(tick(3_607_000)).toEqual(['own-1-1'])
  })

  it('prefers what the server says to what an earlier process left', () => {
    poll(0, due(1, { target: 'http://new/' }))
    schedule.restore([{ check: due(1, { target: 'http://old/' }), dueAt: T }], T)
    expect(schedule.takeDue(T).map(({ check }) => check.target)).toEqual(['http://new/'])
  })

  it('says when what is held has changed, and only then', () => {
    poll(0, due(1))
    const before = schedule.version
    poll(1000, due(1, { run: 'again', at: 5000, lease: 90_000 }))
    tick(5000)
    expect(schedule.version).toBe(before)
    poll(6000, due(1, { run: 'changed', target: 'http://new/' }))
    expect(schedule.version).toBeGreaterThan(before)
  })

  it('knows what the server does not know yet', () => {
    poll(0, due(1))
    expect([schedule.isNews(1, true), schedule.isNews(1, false)]).toEqual([true, true])
    tick(0)
    schedule.told(1, 'offline')
    expect([schedule.isNews(1, true), schedule.isNews(1, false)]).toEqual([false, true])
    schedule.told(1, 'online')
    expect([schedule.isNews(1, true), schedule.isNews(1, false)]).toEqual([true, false])
  })

  it('keeps the time of ten thousand monitors', () => {
    for (let id = 1; id <= 10_000; id++) schedule.put(due(id, { at: (id * 7919) % 10_000, lease: 600_000 }), T)
    let started = 0
    for (let at = 49; at < 60_000; at += 50) started += tick(at).length
    expect(started).toBe(60_000)
    expect(schedule.missed).toBe(0)
  })
})
