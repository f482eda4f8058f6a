import { expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { ask } from '../people.ts'
import { World } from '../world.ts'

onEachEngine(stage => {
  test('/metrics is for this host alone, unless a token is set', async () => {
    await stage.people.owner.post('/v1/monitors', { name: 'Shop', type: 'tcp', target: 'shop.example:443' })
    const { status, body, headers } = await ask(stage.world.url, 'GET', '/metrics')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(body).toContain('watchpost_monitors{status="pending"} 1\n')
    expect(body).toMatch(/^process_resident_memory_bytes \d+$/m)
    for (const name of ['x-forwarded-for', 'forwarded', 'via']) {
      expect((await ask(stage.world.url, 'GET', '/metrics', undefined, { [name]: '203.0.113.1' })).status).toBe(404)
    }
  })
})

test('with WATCHPOST_METRICS_TOKEN it is for who sends it', async () => {
  const world = await World.create({ env: { WATCHPOST_METRICS_TOKEN: 'sesame' } })
  await world.server()
  const get = (headers: Record<string, string> = {}) => ask(world.url, 'GET', '/metrics', undefined, headers)
  expect((await get()).status).toBe(401)
  expect((await get({ authorization: 'Bearer sesam' })).status).toBe(401)
  expect((await get({ authorization: 'Bearer sesame' })).status).toBe(200)
  await world.close()
})
