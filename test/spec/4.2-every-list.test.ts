import { routes } from '@watchpost/contract'
import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person } from '../people.ts'
import { World } from '../world.ts'

// Every list, by every field that the contract says it can be searched and sorted by; and by what nobody should.
describe.each(['sqlite', 'postgres'] as const)('on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let owner: Person

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    await world.server()
    owner = new Person(world, world.credentials.api_token)
    await owner.post('/v1/monitors', { name: 'm', type: 'tcp', target: 'a.example:22' })
    await owner.post('/v1/status-pages', { slug: 'page', title: 'Page' })
    await owner.post('/v1/status-pages/1/monitors', { monitor_id: 1 })
    await owner.post('/v1/channels', { name: 'c', type: 'webhook', url: 'https://a.example/' })
  })
  afterAll(async () => {
    await world?.close()
    await place?.remove()
  })

  const lists = Object.values(routes).filter(route => route.envelope === 'list')
  const samples: Record<string, string> = { integer: '1', number: '1', boolean: 'true', string: 'x' }
  interface Field {
    type: string
    enum?: string[]
    format?: string
  }

  test.each(lists.map(route => route.path.replace('{id}', '1')))('%s', async path => {
    const route = lists.find(each => each.path.replace('{id}', '1') === path)
    const { properties } = (route as unknown as { query: { properties: Record<string, Field> } }).query
    const { properties: shown } = (route as unknown as { reply: { properties: object } }).reply
    for (const [name, field] of Object.entries(properties)) {
      if (['page', 'per_page', 'sort'].includes(name)) continue
      const value = field.enum?.[0] ?? (field.format === undefined ? samples[field.type] : '2026-11-21T09:30:00.000Z')
      expect((await owner.get(`${path}?${name}=${value}`)).status, `filter by ${name}`).toBe(200)
      // What is asked for and not shown, such as a stretch of time, is no field.
      const sorts = name in shown ? [name, `-${name}`] : []
      for (const sort of sorts) {
        expect((await owner.get(`${path}?sort=${sort}`)).status, `sort by ${sort}`).toBe(200)
      }
      if (field.type === 'integer') {
        expect((await owner.get(`${path}?${name}=100000000000000000000`)).status, `${name} beyond`).toBe(422)
      }
      if (field.format !== undefined) {
        for (const wrong of ['garbage', '2016-12-31T23:59:60Z']) {
          expect((await owner.get(`${path}?${name}=${wrong}`)).status, `${name}=${wrong}`).toBe(422)
        }
      }
    }
    for (const nonsense of ['constructor=1', '__proto__=1', 'sort=constructor', 'sort=team_id', 'sort=settings']) {
      expect((await owner.get(`${path}?${nonsense}`)).status, nonsense).toBe(422)
    }
  })

  test('characters and names that trip up programs are refused, never 500', async () => {
    const site = { name: 'x', type: 'tcp', target: 'a.example:22' }
    const text = JSON.stringify(site)
    for (const [body, status] of [
      [text.replace('{', '{"__proto__":{},'), 422],
      [text.replace('{', '{"constructor":1,'), 422],
      [text.replace('"x"', '"\\u0000"'), 400],
      [text.replace('"x"', `${'['.repeat(5000)}${']'.repeat(5000)}`), 400],
      [JSON.stringify({ ...site, options: { expect: 'x'.repeat(70_000) } }), 422],
    ] as const) {
      expect((await owner.post('/v1/monitors', body)).status, body.slice(0, 60)).toBe(status)
    }
    expect((await owner.get('/api/status/%00')).status).toBe(404)
    const expires_at = '2016-12-31T23:59:60Z'
    expect((await owner.post('/v1/tokens', { name: 'leap', expires_at })).body.errors).toHaveProperty('expires_at')
  })
})
