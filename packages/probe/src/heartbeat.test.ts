import { ApiError } from '@watchpost/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from './testing/until.ts'
import { World } from './testing/world.ts'

describe('heartbeats', () => {
  let world: World

  beforeEach(async () => {
    world = await World.make()
  })
  afterEach(() => world.end())

  it('say how the machine is and what the probe does, as often as the server asks', async () => {
    const { plane } = world
    plane.add({ target: world.target.url, interval: 60 })
    plane.nextHeartbeatSeconds = 1
    world.start()
    await until('three have come', () => plane.heartbeats.length >= 3)
    const last = plane.heartbeats.at(-1)
    expect(last?.work).toMatchObject({ monitors: 1, running: 0, missed: 0, spooled: 0, dropped: 0 })
    expect(last?.work?.lag_ms).toBeGreaterThanOrEqual(0)
    expect(last?.host?.memory_total_bytes).toBeGreaterThan(0)
    expect(Date.parse(last?.started_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('go on when the server is back', async () => {
    const { plane } = world
    plane.failWith = new ApiError('unavailable', 'Not now')
    world.start()
    await until('it was asked', () => plane.requests > 2)
    plane.failWith = undefined
    await until('one has come', () => plane.heartbeats.length > 0)
  })

  it('end with the probe, whatever they wait for', async () => {
    const daemon = world.start()
    await until('one has come', () => world.plane.heartbeats.length > 0)
    const began = performance.now()
    daemon.stop.abort()
    expect(await daemon.ended).toBe(0)
    expect(performance.now() - began).toBeLessThan(15_000)
  })
})
