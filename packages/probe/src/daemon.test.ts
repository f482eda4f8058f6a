import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ControlPlane } from './testing/control-plane.ts'
import { Target } from './testing/target.ts'
import { until } from './testing/until.ts'
import { checkedAt, World } from './testing/world.ts'

describe('the daemon', () => {
  let world: World
  let plane: ControlPlane
  let target: Target

  beforeEach(async () => {
    world = await World.make()
    ;({ plane, target } = world)
  })
  afterEach(() => world.end())

  it('fetches what is due, checks it and reports it, then keeps to the interval', async () => {
    const id = plane.add({ target: target.url, interval: 0.3 })
    const daemon = world.start()
    await until('three results are in', () => plane.resultsOf(id).length >= 3)
    const [first, second, third] = plane.resultsOf(id)
    expect(first).toMatchObject({ monitor_id: id, status: 'online', error_kind: null })
    expect(first?.run_id).toMatch(/^run-/)
    expect(second?.run_id).not.toMatch(/^run-/)
    const gap = checkedAt(third) - checkedAt(second)
    expect(gap).toBeGreaterThan(200)
    expect(gap).toBeLessThan(3000)
    expect(plane.repeated).toBe(0)
    expect(plane.userAgent).toBe('watchpost-probe/0.1.0 (test ?1?)')
    expect(daemon.facts).toEqual([{ server: plane.url }])
  })

  it('reports at once when it has been idle', async () => {
    world.start()
    await until('it has polled', () => plane.polls > 1)
    const id = plane.add({ target: target.url })
    await until('it was looked at', () => target.hits === 1)
    const looked = performance.now()
    await until('the result is in', () => plane.resultsOf(id).length === 1)
    expect(performance.now() - looked).toBeLessThan(4000)
  })

  it('confirms a failure when the server says, not an interval later', async () => {
    target.status = 500
    const id = plane.add({ target: target.url, interval: 60, retryMs: 500 })
    world.start()
    await until('the confirmation is in', () => plane.resultsOf(id).length >= 2)
    const [first, second] = plane.resultsOf(id)
    expect(first).toMatchObject({ status: 'offline', error_kind: 'http_status' })
    const gap = checkedAt(second) - checkedAt(first)
    expect(gap).toBeGreaterThanOrEqual(495)
    expect(gap).toBeLessThan(10_000)
  })

  it('stops checking a paused and a deleted monitor', async () => {
    const [kept, paused, deleted] = [1, 2, 3].map(() => plane.add({ target: target.url, interval: 0.3 })) as [
      number,
      number,
      number,
    ]
    world.start()
    await until('all three work', () => new Set(plane.results.map(result => result.monitor_id)).size === 3)
    plane.change(paused, { enabled: false })
    plane.monitors.delete(deleted)
    await until('the refusal is in the log', () => world.log.includes('No such monitor'))
    await until('the paused one had its last run', () => plane.resultsOf(paused).length >= 2)
    const count = plane.resultsOf(paused).length
    const keptCount = plane.resultsOf(kept).length
    const hits = target.hits
    await until('the other goes on', () => plane.resultsOf(kept).length >= keptCount + 2)
    expect(plane.resultsOf(paused).length).toBe(count)
    expect(target.hits - hits).toBeLessThanOrEqual(3)
    expect(world.log.match(/No such monitor/g)).toHaveLength(1)
  })

  it('runs a changed monitor at once, with its new settings', async () => {
    const other = await Target.start()
    const id = plane.add({ target: target.url, interval: 60 })
    world.start()
    await until('it works', () => plane.resultsOf(id).length === 1)
    plane.change(id, { target: other.url })
    await until('the new target is looked at', () => plane.resultsOf(id).length === 2)
    expect([target.hits, other.hits]).toEqual([1, 1])
    await other.stop()
  })

  it('runs no more checks at once than it may', async () => {
    target.delayMs = 50
    for (let i = 0; i < 40; i++) plane.add({ target: target.url })
    world.start({ concurrency: 4 })
    await until('all are in', () => plane.results.length === 40)
    expect(target.mostOpen).toBe(4)
  })

  it('reports its own trouble as such, never as a failure of the target', async () => {
    const id = plane.add({ target: '127.0.0.1', type: 'ping' })
    world.start()
    await until('the result is in', () => plane.resultsOf(id).length === 1)
    expect(plane.resultsOf(id)).toMatchObject([{ status: 'error', error_kind: 'probe_permission' }])
    expect(world.log).toContain('could not check')
  })

  it('keeps to the server clock, however wrong its own is', async () => {
    plane.clockAheadMs = 3_600_000
    const id = plane.add({ target: target.url, interval: 0.3 })
    world.start()
    await until('two results are in', () => plane.resultsOf(id).length >= 2)
    for (const result of plane.resultsOf(id)) {
      expect(Math.abs(checkedAt(result) - plane.now())).toBeLessThan(5000)
    }
  })
})
