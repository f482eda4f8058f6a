import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { castOf, type People, Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { eventually, type Running, World } from '../world.ts'

let world: World
let people: People
let server: Running

beforeAll(async () => {
  world = await World.create({ env: { WATCHPOST_CHANNEL_PRIVATE: 'deny' } })
  server = await world.server()
  people = await castOf(world)
})
afterAll(() => world.close())

const hook = { name: 'hook', type: 'webhook', url: 'https://hooks.example.com/T0P-SECRET' }

describe('create', () => {
  test('shows the signing secret once', async () => {
    const { status, body } = await people.owner.post('/v1/channels', hook)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ ...hook, disabled_at: null })
    expect(body.data.secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const { body: list } = await people.owner.get('/v1/channels')
    expect(list.data).toMatchObject([hook])
    expect(JSON.stringify(list)).not.toContain('whsec_')
  })

  test.each([
    [{ ...hook, url: 'ftp://a.example' }, 'url'],
    [{ ...hook, url: 'https://' }, 'url'],
    [{ ...hook, type: 'pigeon' }, 'type'],
    [{ ...hook, name: '' }, 'name'],
  ])('%j is 422', async (body, field) => {
    const answer = await people.owner.post('/v1/channels', body)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  })

  test('neither address nor secret stands readable in the database', async () => {
    const files = ['watchpost.db', 'watchpost.db-wal'].map(name => readFile(join(world.dir, 'data', name), 'latin1'))
    const text = (await Promise.all(files)).join('')
    expect(text).toContain('hook')
    expect(text).not.toMatch(/T0P-SECRET|whsec_/)
  })
})

describe('who may', () => {
  test('a viewer sees that there is one, not its address', async () => {
    expect((await people.viewer.get('/v1/channels')).body.data).toMatchObject([{ name: 'hook', url: null }])
    expect((await people.viewer.post('/v1/channels', hook)).status).toBe(403)
  })

  test('a member neither makes nor deletes them, a stranger finds none', async () => {
    const { body } = await people.member.get('/v1/channels')
    expect((await people.member.post('/v1/channels', hook)).status).toBe(403)
    expect((await people.member.delete(`/v1/channels/${body.data[0].id}`)).status).toBe(403)
    expect((await people.stranger.get('/v1/channels')).body.data).toEqual([])
    expect((await people.stranger.delete(`/v1/channels/${body.data[0].id}`)).status).toBe(404)
    expect((await people.owner.delete(`/v1/channels/${body.data[0].id}`)).status).toBe(200)
  })
})

test('a webhook to this host is refused when connecting, however the address is spelled', async () => {
  const receiver = new Receiver()
  const url = new URL(await receiver.start())
  for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
    await people.owner.post('/v1/channels', { ...hook, name: host, url: `http://${host}:${url.port}/` })
    await people.owner.post('/v1/channels', { ...hook, name: `${host} with TLS`, url: `https://${host}:${url.port}/` })
  }
  const { body } = await people.owner.post('/v1/monitors', {
    name: 'm',
    type: 'tcp',
    target: 'a.example:22',
    options: { confirmations: 1 },
  })
  const made = await people.owner.post('/v1/probes', { name: 'p' })
  const probe = new Person(world, made.body.data.token)
  await probe.get('/v1/probe/get-checks')
  await probe.post('/v1/probe/check-result', { monitor_id: body.data.id, status: 'offline', response_time_ms: null })
  await eventually('all ten are refused', async () => {
    return server.output.split('a private or reserved address').length - 1 >= 10
  })
  expect(receiver.received).toEqual([])
  await receiver.stop()
})
