import { readdirSync } from 'node:fs'
import { ApiError } from '@watchpost/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ControlPlane } from './testing/control-plane.ts'
import type { Target } from './testing/target.ts'
import { until } from './testing/until.ts'
import { checkedAt, World } from './testing/world.ts'

describe('the daemon in trouble', () => {
  let world: World
  let plane: ControlPlane
  let target: Target

  beforeEach(async () => {
    world = await World.make()
    ;({ plane, target } = world)
  })
  afterEach(() => world.end())

  it('goes on checking while the server is away; the results arrive later, in order, none lost', async () => {
    const id = plane.add({ target: target.url, interval: 0.3 })
    world.start()
    await until('it works', () => plane.resultsOf(id).length >= 1)
    await plane.down()
    const before = target.hits
    await until('three checks ran alone', () => target.hits >= before + 3)
    expect(world.log).toContain('connection refused')
    await plane.up()
    await until('all are in', () => plane.resultsOf(id).length >= before + 3)
    const times = plane.resultsOf(id).map(result => checkedAt(result))
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(new Set(plane.resultsOf(id).map(result => result.run_id)).size).toBe(times.length)
    for (const [i, time] of times.slice(1).entries()) expect(time - (times[i] as number)).toBeLessThan(600)
  })

  it('heeds Retry-After, and keeps what it was told to hold back', async () => {
    const id = plane.add({ target: target.url, interval: 0.3 })
    world.start()
    await until('it works', () => plane.resultsOf(id).length >= 1)
    plane.failWith = new ApiError('rate_limit_exceeded', 'Too many requests', { retryAfter: 1 })
    await until('it was told', () => world.log.includes('results are kept on disk: Too many requests'))
    const told = performance.now()
    await new Promise(resolve => setTimeout(resolve, 300))
    const requests = plane.requests
    plane.failWith = undefined
    const hits = target.hits
    await until('the rest is in', () => plane.resultsOf(id).length >= hits)
    expect(performance.now() - told).toBeGreaterThan(700)
    expect(plane.requests - requests).toBeLessThan(10)
  })

  it('waits for a server that is not there yet, and says so', async () => {
    await plane.down()
    const daemon = world.start()
    await until('it said so', () => world.log.includes('connection refused; is the server running?'))
    await until('it runs all the same', () => daemon.facts.length === 1)
    const id = plane.add({ target: target.url })
    await plane.up()
    await until('the result is in', () => plane.resultsOf(id).length === 1)
    expect(world.log).toContain('the server answers again')
  })

  it('sends on start what an earlier process left over', async () => {
    const id = plane.add({ target: target.url, interval: 0.3 })
    const first = world.start()
    await until('it works', () => plane.resultsOf(id).length >= 1)
    await plane.down()
    const before = target.hits
    await until('two checks ran alone', () => target.hits >= before + 2)
    first.stop.abort()
    expect(await first.ended).toBe(0)
    expect(world.spoolFiles()).toHaveLength(1)
    const hits = target.hits
    plane.change(id, { enabled: false })
    await plane.up()
    const second = world.start()
    await until('all are in', () => plane.results.length === hits)
    second.stop.abort()
    await second.ended
    expect(target.hits).toBe(hits)
    expect(world.spoolFiles()).toEqual([])
  })

  it('goes on with what the last run held when it is started while the server is away', async () => {
    const id = plane.add({ target: target.url, interval: 0.3 })
    const first = world.start()
    await until('it works', () => plane.resultsOf(id).length >= 1)
    first.stop.abort()
    await first.ended
    await plane.down()
    const before = target.hits
    world.start()
    await until('it checks all the same', () => target.hits >= before + 2)
    expect(world.log).toContain('going on with the checks that the last run held')
    await plane.up()
    await until('all are in', () => plane.resultsOf(id).length >= before + 2)
    await until('each look has one result', () => plane.resultsOf(id).length === target.hits)
    expect(plane.repeated).toBe(0)
  })

  it('keeps nothing for a server that does not accept its token any more', async () => {
    const id = plane.add({ target: target.url, interval: 0.3 })
    const first = world.start()
    await until('it works', () => plane.resultsOf(id).length >= 1)
    plane.token = 'another'
    expect(await first.ended).toBe(3)
    expect(readdirSync(world.dir)).not.toContain('held.jsonl')
  })

  it('has one result for every look at a target, whatever is cut and however often', async () => {
    const ids = Array.from({ length: 20 }, () => plane.add({ target: target.url, interval: 0.3 }))
    const daemon = world.start({ pace: { fresh: 20, batch: 10 } })
    for (let cut = 0; cut < 3; cut++) {
      const before = target.hits
      await until('it works', () => target.hits >= before + 20)
      await plane.down()
      const alone = target.hits
      await until('it checks alone', () => target.hits >= alone + 30)
      await plane.up()
    }
    for (const id of ids) plane.change(id, { enabled: false })
    await until('all have stopped, and all is in', () => target.open === 0 && plane.results.length === target.hits)
    daemon.stop.abort()
    await daemon.ended
    expect(plane.results.length).toBe(target.hits)
    expect(new Set(plane.results.map(({ run_id }) => run_id)).size).toBe(target.hits)
    expect(world.spoolFiles()).toEqual([])
  })

  it('says that it has no network instead of reporting every target down', async () => {
    const id = plane.add({ target: '255.255.255.255:9', type: 'tcp', timeout: 1 })
    const daemon = world.start({ witness: [{ host: '255.255.255.255', port: 9 }] })
    await until('the result is in', () => plane.resultsOf(id).length === 1)
    expect(plane.resultsOf(id)).toMatchObject([{ status: 'error', error_kind: 'probe_network' }])
    daemon.stop.abort()
  })

  it('finishes running checks when stopped, and reports them', async () => {
    target.delayMs = 700
    const id = plane.add({ target: target.url })
    const daemon = world.start()
    await until('the check runs', () => target.open === 1)
    daemon.stop.abort()
    expect(await daemon.ended).toBe(0)
    expect(plane.resultsOf(id)).toMatchObject([{ status: 'online' }])
    expect(world.spoolFiles()).toEqual([])
  })

  it('ends with one line and code 3 when the token is wrong', async () => {
    const daemon = world.start({ token: 'wp_probe_wrong' })
    expect(await daemon.ended).toBe(3)
    expect(world.log.trim().split('\n')).toHaveLength(1)
    expect(world.log).toContain("does not accept this probe's token: Invalid probe token")
    expect(daemon.facts).toEqual([])
  })

  it('ends with code 3 when the token is revoked, and keeps what it could not send', async () => {
    target.delayMs = 100
    const id = plane.add({ target: target.url, interval: 0.3 })
    const daemon = world.start()
    await until('it works', () => plane.resultsOf(id).length >= 1)
    plane.pollAfterSeconds = 60
    await until('it polls rarely', () => target.open === 1)
    plane.token = 'another'
    expect(await daemon.ended).toBe(3)
    expect(world.log).toContain("does not accept this probe's token")
    expect(world.spoolFiles()).toHaveLength(1)
  })

  it('says over HTTP how it is', async () => {
    const daemon = world.start({ healthListen: { host: '127.0.0.1', port: 0 } })
    await until('it runs', () => daemon.facts.length === 1)
    const url = daemon.facts[0]?.health_url as string
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await plane.down()
    await until('it notices', () => world.log.includes('connection refused'))
    const ready = await fetch(`${url}/readyz`)
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ ready: false, monitors: 0, spooled: 0 })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const metrics = await fetch(`${url}/metrics`)
    expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await metrics.text()).toMatch(/^watchpost_probe_polls_total\{result="failed"\} \d+$/m)
    expect((await fetch(`${url}/other`)).status).toBe(404)
  })
})
