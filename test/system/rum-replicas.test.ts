import { randomUUID } from 'node:crypto'
import { newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { ask, Person } from '../people.ts'
import { runProgram, World } from '../world.ts'

const apps = '/api/observability/apps'
const url = 'https://shop.example.com/'

// A visitor's requests may reach any replica, and come again at another one.
test('two replicas count one visitor once, across the edges of both quotas', async () => {
  const place = await newPlace('postgres')
  const world = await World.create({ databaseUrl: place.databaseUrl as string })
  await world.server()
  const replicas = [world.url]
  await world.server()
  replicas.push(world.url)
  for (const [quota, limit] of [
    ['rum_events', '600'],
    ['rum_sessions', '40'],
  ] as const) {
    const args = ['quota', 'set', ...world.storage, '--team', 'My team', '--quota', quota, '--limit', limit]
    expect((await runProgram('watchpost-server', args, world.env)).code).toBe(0)
  }
  const owner = new Person(world, world.credentials.api_token)
  const app = (await owner.post(apps, { name: 'Shop' })).body.data
  let accepted = 0
  const send = async (replica: number, events: unknown) => {
    const path = `/v1/ingest?api_key=${app.api_key}`
    const { status, body } = await ask(replicas[replica % 2] as string, 'POST', path, events)
    expect([200, 429]).toContain(status)
    if (status === 200) accepted += body.data.accepted
  }
  const visitor = async (name: number) => {
    for (let turn = 0; turn < 20; turn++) {
      const session_id = `visit ${(name + turn) % 50}`
      const events = Array.from({ length: 4 }, () => ({ type: 'page_load', url, id: randomUUID(), session_id }))
      // The same bytes at both, at the same moment.
      await Promise.all([send(0, events), send(1, events)])
    }
  }
  await Promise.all(Array.from({ length: 10 }, (_, name) => visitor(name)))
  const { quotas } = (await owner.get(`${apps}/${app.id}/usage`)).body
  expect(quotas.rum_sessions.used).toBeLessThanOrEqual(40)
  expect(quotas.rum_events).toEqual({ limit: 600, used: 600, remaining: 0 })
  const pages = (await owner.get(`${apps}/${app.id}/rum/pages`)).body.data
  const visits = (await owner.get(`${apps}/${app.id}/rum/sessions?limit=200`)).body.data
  expect([accepted, pages[0].count, visits.length]).toEqual([600, 600, quotas.rum_sessions.used])
  expect(visits.reduce((sum: number, each: { event_count: number }) => sum + each.event_count, 0)).toBe(600)
  await world.close()
  await place.remove()
})
