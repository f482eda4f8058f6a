import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person } from '../people.ts'
import { World } from '../world.ts'

let world: World
let owner: Person

beforeAll(async () => {
  world = await World.create()
  await world.server()
  owner = new Person(world, world.credentials.api_token)
  for (let index = 1; index <= 25; index++) {
    const type = index % 2 === 0 ? 'ping' : 'tcp'
    const target = type === 'ping' ? 'a.example' : 'a.example:22'
    const name = `m${String(26 - index).padStart(2, '0')}`
    await owner.post('/v1/monitors', { name, type, target, enabled: index > 5, interval: index > 20 ? 300 : 60 })
  }
})
afterAll(() => world.close())

const names = async (query: string) =>
  (await owner.get(`/v1/monitors${query}`)).body.data.map((monitor: { name: string }) => monitor.name)

test('a page has 20, and says how many there are and where the others are', async () => {
  const { body } = await owner.get('/v1/monitors?type=tcp&per_page=5&page=2')
  expect(body.data).toHaveLength(5)
  expect(body.meta).toEqual({ total: 13, page: 2, per_page: 5, total_pages: 3 })
  expect(body.links).toEqual({
    first: '/v1/monitors?type=tcp&per_page=5&page=1',
    prev: '/v1/monitors?type=tcp&per_page=5&page=1',
    next: '/v1/monitors?type=tcp&per_page=5&page=3',
    last: '/v1/monitors?type=tcp&per_page=5&page=3',
  })
  expect((await owner.get('/v1/monitors')).body.data).toHaveLength(20)
})

test('there is nothing before the first page and after the last', async () => {
  expect((await owner.get('/v1/monitors')).body.links).toMatchObject({ prev: null, next: '/v1/monitors?page=2' })
  expect((await owner.get('/v1/monitors?page=2')).body.links).toMatchObject({ next: null })
})

test('a page beyond the end is empty, not an error', async () => {
  const { status, body } = await owner.get('/v1/monitors?page=9')
  expect([status, body.data, body.meta.total]).toEqual([200, [], 25])
})

test('filters combine', async () => {
  expect(await names('?status=paused&type=ping')).toEqual(['m24', 'm22'])
  expect((await owner.get('/v1/monitors?enabled=false')).body.meta.total).toBe(5)
  expect((await owner.get('/v1/monitors?interval=300')).body.meta.total).toBe(5)
})

test('sorting is by several fields, - turns one around', async () => {
  expect((await names('?sort=name')).slice(0, 2)).toEqual(['m01', 'm02'])
  expect((await names('?sort=-name')).slice(0, 2)).toEqual(['m25', 'm24'])
  expect((await names('?sort=-interval,name')).slice(0, 6)).toEqual(['m01', 'm02', 'm03', 'm04', 'm05', 'm06'])
  expect((await names('?sort=uptime_24h,-id')).slice(0, 1)).toEqual(['m01'])
})

test.each([
  ['per_page=101', 'per_page'],
  ['per_page=0', 'per_page'],
  ['per_page=x', 'per_page'],
  ['page=0', 'page'],
  ['page=-1', 'page'],
  ['status=up', 'status'],
  ['sort=colour', 'sort'],
  ['sort=name;drop table monitors', 'sort'],
  ['colour=red', 'colour'],
])('%s is 422 and named', async (query, field) => {
  const { status, body } = await owner.get(`/v1/monitors?${query}`)
  expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
})
