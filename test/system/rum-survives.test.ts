import { randomUUID } from 'node:crypto'
import { newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { Person } from '../people.ts'
import { type Running, World } from '../world.ts'

const apps = '/api/observability/apps'
const url = 'https://shop.example.com/'

// Everything that was acknowledged is there once after kill -9, and counted once, also what was sent again since its
// answer was lost.
test.each(['sqlite', 'postgres'] as const)('kill -9 under load on %s', async engine => {
  const place = await newPlace(engine)
  const world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
  let server: Running = await world.server()
  const owner = new Person(world, world.credentials.api_token)
  const app = (await owner.post(apps, { name: 'Shop' })).body.data
  let acknowledged = 0
  const visits = new Set<string>()
  let stopped = false

  // A page: sends a batch until it is acknowledged.
  const visitor = async (name: number) => {
    for (let turn = 0; !stopped; turn++) {
      const session_id = `${name} ${turn >> 3}`
      const events = Array.from({ length: 5 }, () => ({
        type: 'page_load',
        url: `${url}${name}`,
        id: randomUUID(),
        session_id,
      }))
      const body = JSON.stringify(events)
      for (;;) {
        const sent = fetch(`${world.url}/v1/ingest?api_key=${app.api_key}`, { method: 'POST', body })
        const answer = await sent.catch(() => undefined)
        const read = await answer?.json().catch(() => undefined)
        if (answer?.status === 200 && read !== undefined) break
        await new Promise(resolve => setTimeout(resolve, 50))
      }
      acknowledged += events.length
      visits.add(session_id)
    }
  }
  const visitors = Array.from({ length: 12 }, (_, name) => visitor(name))
  const listen = new URL(world.url).host
  for (let round = 1; round <= 3; round++) {
    const before = acknowledged
    while (acknowledged < before + 500) await new Promise(resolve => setTimeout(resolve, 10))
    await server.stop('SIGKILL')
    server = await world.server(listen)
  }
  stopped = true
  await Promise.all(visitors)

  const { data } = (await owner.get(`${apps}/${app.id}/rum/pages`)).body
  expect(data.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(acknowledged)
  const { quotas } = (await owner.get(`${apps}/${app.id}/usage`)).body
  expect([quotas.rum_events.used, quotas.rum_sessions.used]).toEqual([acknowledged, visits.size])
  await world.close()
  await place.remove()
})
