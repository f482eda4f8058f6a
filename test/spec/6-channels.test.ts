import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, castOf, type People, Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { eventually, type Running, World } from '../world.ts'

let world: World
let people: People
let admin: Person
let server: Running

const env = {
  WATCHPOST_CHANNEL_PRIVATE: 'deny',
  WATCHPOST_SMTP_URL: 'smtp://127.0.0.1:1',
  WATCHPOST_MAIL_FROM: 'alerts@example.com',
}

beforeAll(async () => {
  world = await World.create({ env })
  server = await world.server()
  people = await castOf(world)
  const made = await people.owner.post('/v1/tokens', { name: 'admin', role: 'admin' })
  admin = new Person(world, made.body.data.token)
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

const nothing = { url: null, to: null, bot_token: null, chat_id: null }
const slack = { name: 's', type: 'slack', url: 'https://hooks.slack.com/services/T000/B000/Very-Secret-Part-1234' }
const telegram = { name: 't', type: 'telegram', bot_token: '123456:Very-Secret-Token-of-a-bot', chat_id: '-100123' }

describe('every type', () => {
  test.each([
    [slack, { url: 'https://hooks.slack.com/…1234' }],
    [{ ...slack, name: 'd', type: 'discord' }, { url: 'https://hooks.slack.com/…1234' }],
    [telegram, { bot_token: '…-bot', chat_id: '-100123' }],
    [{ name: 'e', type: 'email', to: ['a@example.com', 'b@example.com'] }, { to: ['a@example.com', 'b@example.com'] }],
  ])('%j is made, and its secrets are shown masked', async (body, shown) => {
    const made = await people.owner.post('/v1/channels', body)
    expect(made.status).toBe(201)
    const expected = { name: body.name, type: body.type, ...nothing, ...shown, secret: null, enabled: true }
    expect(made.body.data).toMatchObject({ ...expected, events: [], monitor_ids: [], disabled_at: null })
    const read = await admin.get(`/v1/channels/${made.body.data.id}`)
    const { secret: _, ...rest } = made.body.data
    expect(read.body.data).toEqual(rest)
    expect(JSON.stringify([made.body, read.body])).not.toContain('Very-Secret')
  })

  test.each([
    [{ name: 'x', type: 'slack' }, ['url']],
    [{ name: 'x', type: 'telegram' }, ['bot_token', 'chat_id']],
    [{ name: 'x', type: 'email' }, ['to']],
    [{ name: 'x', type: 'email', to: [] }, ['to']],
    [{ name: 'x', type: 'email', to: ['a@example.com', 'nobody'] }, ['to.1']],
    [{ name: 'x', type: 'email', to: ['a@example.com\r\nBcc: b@example.com'] }, ['to.0']],
    [{ name: 'x', type: 'email', to: Array.from({ length: 21 }, (_, index) => `a${index}@example.com`) }, ['to']],
    [{ ...telegram, bot_token: '1:a/../../x' }, ['bot_token']],
    [{ ...telegram, chat_id: 'me' }, ['chat_id']],
    [{ ...telegram, url: 'https://a.example/' }, ['url']],
    [{ ...slack, url: 'https://hooks.slack.com/…1234' }, ['url']],
    [{ ...slack, events: ['monitor.exploded'] }, ['events.0']],
    [{ ...slack, events: ['channel.test'] }, ['events.0']],
    [{ ...slack, monitor_ids: [999] }, ['monitor_ids']],
    [{ ...slack, pigeons: 3 }, ['pigeons']],
  ])('%j is 422, naming what is wrong', async (body, fields) => {
    const answer = await people.owner.post('/v1/channels', body)
    expect([answer.status, Object.keys(answer.body.errors).sort()]).toEqual([422, fields])
  })

  test('without a mail server e-mail is refused, and how to set one is said', async () => {
    const poor = await World.create()
    await poor.server()
    const owner = new Person(poor, poor.credentials.api_token)
    const { status, body } = await owner.post('/v1/channels', { name: 'e', type: 'email', to: ['a@example.com'] })
    expect([status, body.errors.type]).toEqual([422, expect.stringContaining('WATCHPOST_SMTP_URL')])
    await poor.close()
  })
})

describe('changes', () => {
  test('PATCH changes what it names, PUT returns the rest to its defaults; the type and the secret stay', async () => {
    const monitor = await people.owner.post('/v1/monitors', { name: 'm', type: 'tcp', target: 'a.example:22' })
    const monitor_ids = [monitor.body.data.id]
    const { body: made } = await people.owner.post('/v1/channels', { ...hook, name: 'change me' })
    const path = `/v1/channels/${made.data.id}`
    const patched = await admin.patch(path, { events: ['incident.created'], monitor_ids, enabled: false })
    const { secret: _, ...before } = made.data
    const changes = { events: ['incident.created'], monitor_ids, enabled: false }
    expect(patched.body.data).toEqual({ ...before, ...changes, updated_at: patched.body.data.updated_at })
    // A monitor that is gone does not make the filter empty, which would be all of them.
    await people.owner.delete(`/v1/monitors/${monitor_ids[0]}`)
    expect((await people.owner.get(path)).body.data.monitor_ids).toEqual(monitor_ids)
    expect((await people.owner.put(path, (await people.owner.get(path)).body.data)).status).toBe(200)

    const put = await people.owner.put(path, hook)
    expect(put.body.data).toMatchObject({ ...hook, events: [], monitor_ids: [], enabled: true })
    expect((await people.owner.patch(path, { type: 'slack' })).body.errors).toEqual({
      type: 'cannot change; it is webhook',
    })
    expect(await people.owner.put(path, { type: 'webhook' })).toMatchObject({
      status: 422,
      body: { errors: { name: 'is required', url: 'is required for webhook' } },
    })
    expect((await people.owner.put(path, {})).status).toBe(400)
  })

  test('changes at the same moment are all kept', async () => {
    const { body: made } = await people.owner.post('/v1/channels', hook)
    const path = `/v1/channels/${made.data.id}`
    const changes = { name: 'both', events: ['incident.created'], enabled: false, url: 'https://b.example/' }
    const rotation = people.owner.post(`${path}/rotate-secret`, undefined)
    await Promise.all(Object.entries(changes).map(([field, value]) => people.owner.patch(path, { [field]: value })))
    expect((await rotation).status).toBe(200)
    expect((await people.owner.get(path)).body.data).toMatchObject(changes)
  })

  test('read, change, PUT keeps a secret that was shown masked', async () => {
    const { body: made } = await people.owner.post('/v1/channels', telegram)
    const path = `/v1/channels/${made.data.id}`
    const { body: read } = await people.owner.get(path)
    const put = await people.owner.put(path, { ...read.data, name: 'renamed' })
    expect(put.status).toBe(200)
    expect(put.body.data).toMatchObject({ name: 'renamed', bot_token: '…-bot', chat_id: '-100123' })
    const other = await people.owner.patch(path, { bot_token: '…-not' })
    expect(other.body.errors).toEqual({ bot_token: 'is masked; give the whole' })
  })

  test('only a webhook has a secret to rotate', async () => {
    const { body } = await people.owner.get('/v1/channels?type=slack')
    const answer = await people.owner.post(`/v1/channels/${body.data[0].id}/rotate-secret`, undefined)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['type']])
  })
})

describe('who may', () => {
  let path: string
  beforeAll(async () => {
    const { body } = await people.owner.post('/v1/channels', hook)
    path = `/v1/channels/${body.data.id}`
  })

  test('a viewer sees that there is one, not its address', async () => {
    const { body } = await people.viewer.get(path)
    expect(body.data).toMatchObject({ name: 'hook', ...nothing, disabled_reason: null })
    const { body: list } = await people.viewer.get('/v1/channels')
    for (const channel of list.data) expect(channel).toMatchObject(nothing)
    expect((await people.member.get(path)).body.data).toMatchObject(hook)
  })

  const writes = [
    ['POST', () => '/v1/channels', hook],
    ['PUT', () => path, hook],
    ['PATCH', () => path, { name: 'x' }],
    ['POST', () => `${path}/rotate-secret`, undefined],
    ['POST', () => `${path}/test`, undefined],
    ['DELETE', () => path, undefined],
  ] as const

  test.each(writes)(
    '%s %s: neither viewer nor member nor nobody, and a stranger finds none',
    async (method, at, body) => {
      for (const person of [people.viewer, people.member]) {
        expect((await person.ask(method, at(), body)).status).toBe(403)
      }
      expect((await ask(world.url, method, at(), body)).status).toBe(401)
      if (at() !== '/v1/channels') expect((await people.stranger.ask(method, at(), body)).status).toBe(404)
    },
  )

  test('a stranger reads none', async () => {
    expect((await people.stranger.get('/v1/channels')).body.data).toEqual([])
    expect((await people.stranger.get(path)).status).toBe(404)
    expect((await ask(world.url, 'GET', path)).status).toBe(401)
  })

  test('an admin may, whatever the owner may', async () => {
    expect((await admin.patch(path, { name: 'x' })).status).toBe(200)
    expect((await admin.delete(path)).status).toBe(200)
    expect((await people.owner.get(path)).status).toBe(404)
  })

  test('a monitor of another team cannot be chosen', async () => {
    const { body } = await people.stranger.post('/v1/monitors', { name: 'theirs', type: 'tcp', target: 'a.example:22' })
    const answer = await people.owner.post('/v1/channels', { ...hook, monitor_ids: [body.data.id] })
    expect(answer.body.errors).toEqual({ monitor_ids: `no such monitor: ${body.data.id}` })
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
