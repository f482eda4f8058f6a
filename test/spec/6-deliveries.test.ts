import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newPlace } from '@watchpost/store/testing'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, castOf, type People, Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { eventually, World } from '../world.ts'

describe.each(['sqlite', 'postgres'] as const)('on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let people: People
  let admin: Person
  let path: string
  let secret: string
  const receiver = new Receiver()

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    await world.server()
    people = await castOf(world)
    const made = await people.owner.post('/v1/tokens', { name: 'admin', role: 'admin' })
    admin = new Person(world, made.body.data.token)
    const url = await receiver.start()
    const { body } = await people.owner.post('/v1/channels', { name: 'hook', type: 'webhook', url })
    path = `/v1/channels/${body.data.id}`
    secret = body.data.secret
  })
  afterAll(async () => {
    await world?.close()
    await receiver.stop()
    await place?.remove()
  })

  const happens = (title: string) => people.owner.post('/v1/incidents', { title })
  const log = async (query = '') => (await people.owner.get(`${path}/deliveries${query}`)).body
  const settled = (title: string) =>
    eventually(title, async () => (await log()).data.every(({ status }: { status: string }) => status !== 'pending'))

  test('what was delivered is in the log, newest first, with what was sent', async () => {
    await happens('First')
    await eventually('one', async () => receiver.received.length === 1)
    await happens('Second')
    await eventually('two', async () => receiver.received.length === 2)
    await settled('both')
    const { data, meta } = await log()
    expect(meta.total).toBe(2)
    expect(data.map(({ id }: { id: string }) => id)).toEqual(receiver.received.map(({ id }) => id).reverse())
    const { created_at, delivered_at } = data[0]
    expect(data[0]).toEqual({
      id: receiver.received[1]?.id,
      event: 'incident.created',
      subject: { type: 'incident', id: expect.any(Number), name: 'Second', status: 'investigating', monitor_ids: [] },
      status: 'delivered',
      attempts: 1,
      next_attempt_at: null,
      delivered_at,
      response_status: 200,
      error: null,
      created_at,
    })
    expect(Date.parse(delivered_at)).toBeGreaterThanOrEqual(Date.parse(created_at))
    const one = await people.owner.get(`${path}/deliveries/${data[0].id}`)
    expect(one.body.data).toEqual({ ...data[0], body: receiver.received[1]?.raw })
  })

  test('a receiver that is away: pending, with what it answered and when the next attempt is; then replayed at once', async () => {
    await receiver.stop()
    await receiver.start(503)
    await happens('Third')
    const waiting = await eventually('it failed once', async () => (await log('?status=pending')).data[0])
    const failed = await eventually('an attempt', async () => {
      const { body } = await people.owner.get(`${path}/deliveries/${waiting.id}`)
      return body.data.attempts > 0 && body.data
    })
    expect(failed).toMatchObject({ status: 'pending', response_status: 503, error: 'The receiver answered 503' })
    expect(Date.parse(failed.next_attempt_at)).toBeGreaterThan(Date.now())
    await receiver.stop()
    await receiver.start()
    receiver.received.length = 0
    const replayed = await admin.post(`${path}/deliveries/${waiting.id}/replay`, undefined)
    expect([replayed.status, replayed.body.data.attempts]).toEqual([200, 0])
    await eventually('it is there', async () => receiver.received.length === 1)
    await settled('it is settled')
    // At once, not as the second attempt of before.
    const delivered = await people.owner.get(`${path}/deliveries/${waiting.id}`)
    expect(delivered.body.data).toMatchObject({ status: 'delivered', attempts: 1 })
    expect((await log('?status=pending')).data).toEqual([])
  })

  test('a delivered one is replayed under the same id', async () => {
    const { data } = await log('?sort=created_at')
    receiver.received.length = 0
    await people.owner.post(`${path}/deliveries/${data[0].id}/replay`, undefined)
    await eventually('it is there', async () => receiver.received.length === 1)
    expect(receiver.received[0]?.id).toBe(data[0].id)
    receiver.verifyAll(secret)
    await settled('it is settled')
  })

  test('the log is filtered by status and event, and paged', async () => {
    const all = await log('?event=incident.created&status=delivered&per_page=2')
    expect([all.meta.total, all.data.length, all.meta.total_pages]).toEqual([3, 2, 2])
    expect((await log('?event=monitor.status_changed')).data).toEqual([])
    for (const query of ['?status=lost', '?event=x', '?error=x', '?body=x']) {
      expect((await people.owner.get(`${path}/deliveries${query}`)).status, query).toBe(422)
    }
  })

  test('a test is sent at once, answers how it went, and passes the filters by', async () => {
    await people.owner.patch(path, { events: ['alert.triggered'] })
    receiver.received.length = 0
    const good = await people.owner.post(`${path}/test`, undefined)
    expect(good.body.data).toEqual({ delivered: true, response_status: 200, error: null })
    receiver.verifyAll(secret)
    const channel_id = Number(path.split('/').at(-1))
    expect(receiver.received[0]?.body).toMatchObject({
      event: 'channel.test',
      data: { channel_id, channel_name: 'hook' },
    })
    await receiver.stop()
    await receiver.start(410)
    const bad = await people.owner.post(`${path}/test`, undefined)
    expect(bad.body.data).toEqual({ delivered: false, response_status: 410, error: 'The receiver answered 410' })
    expect((await people.owner.get(path)).body.data.enabled).toBe(true)
    await receiver.stop()
    const away = await people.owner.post(`${path}/test`, undefined)
    expect(away.body.data).toMatchObject({ delivered: false, response_status: null, error: expect.any(String) })
    const { data } = await log('?event=channel.test&sort=created_at')
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['delivered', 'failed', 'failed'])
    await receiver.start()
    await people.owner.patch(path, { events: [] })
  })

  test('a new secret signs beside the old one, and the old one still does for a day', async () => {
    const rotated = await admin.post(`${path}/rotate-secret`, undefined)
    expect(rotated.body.data.secret).toMatch(/^whsec_/)
    expect(rotated.body.data.secret).not.toBe(secret)
    receiver.received.length = 0
    await happens('Signed twice')
    await eventually('it is there', async () => receiver.received.length === 1)
    const { raw = '', headers = {} } = receiver.received[0] ?? {}
    for (const each of [secret, rotated.body.data.secret]) new Webhook(each).verify(raw, headers)
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(() => new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(raw, headers)).toThrow()
    await settled('it is settled')
  })

  test('a channel that is off gets nothing, and refuses a replay; switched on it goes on with what happens then', async () => {
    const { body } = await people.owner.patch(path, { enabled: false })
    expect(body.data).toMatchObject({ enabled: false, disabled_at: null })
    const [{ id }] = (await log()).data
    const replay = await people.owner.post(`${path}/deliveries/${id}/replay`, undefined)
    expect([replay.status, replay.body.code]).toEqual([409, 'conflict'])
    receiver.received.length = 0
    const witness = new Receiver()
    await people.owner.post('/v1/channels', { name: 'witness', type: 'webhook', url: await witness.start() })
    await happens('Unheard')
    await eventually('others heard it', async () => witness.received.length === 1)
    await people.owner.patch(path, { enabled: true })
    await happens('Heard')
    await eventually('it is there', async () => receiver.received.length > 0)
    expect(receiver.received.map(({ body }) => body.data.title)).toEqual(['Heard'])
    await witness.stop()
    await settled('it is settled')
  })

  test('a receiver that says 410 is disabled, the reason shown; switching it on forgets that', async () => {
    await receiver.stop()
    await receiver.start(410)
    await happens('Gone')
    const off = await eventually('it is off', async () => {
      const { body } = await people.owner.get(path)
      return !body.data.enabled && body.data
    })
    expect(off).toMatchObject({ disabled_reason: 'The receiver answered 410', disabled_at: expect.any(String) })
    expect((await people.viewer.get(path)).body.data.disabled_reason).toBeNull()
    const on = await people.owner.patch(path, { enabled: true })
    expect(on.body.data).toMatchObject({ enabled: true, disabled_at: null, disabled_reason: null })
    const [last] = (await log()).data
    expect(last).toMatchObject({ status: 'failed', response_status: 410 })
    await receiver.stop()
    await receiver.start()
    receiver.received.length = 0
    await people.owner.post(`${path}/deliveries/${last.id}/replay`, undefined)
    await eventually('it is there', async () => receiver.received.length === 1)
    await settled('it is settled')
  })

  test('monitorctl tests, looks at the log, sends again and rotates', async () => {
    const id = String(path.split('/').at(-1))
    expect(await world.ctl('channels', 'test', id)).toMatchObject({ delivered: true })
    const { data } = await world.ctl<{ data: { id: string }[] }>(
      'channels',
      'deliveries',
      id,
      '--event',
      'channel.test',
    )
    const last = String(data[0]?.id)
    const one = await world.ctl<{ body: string }>('channels', 'deliveries', id, last)
    expect(JSON.parse(one.body)).toMatchObject({ event: 'channel.test' })
    expect(await world.ctl('channels', 'replay', id, last)).toMatchObject({ id: last, status: 'pending' })
    expect(await world.ctl('channels', 'rotate-secret', id)).toMatchObject({ secret: expect.stringMatching(/^whsec_/) })
    await settled('it is settled')
    const url = `http://127.0.0.1:1/`
    const other = await world.ctl<{ id: number }>('channels', 'create', '--name', 'x', '--type', 'slack', '--url', url)
    expect((await world.monitorctl('channels', 'test', String(other.id))).code).toBe(1)
    expect((await world.monitorctl('channels', 'create', '--name', 'x', '--type', 'slack')).code).toBe(2)
    expect((await world.monitorctl('channels', 'update', String(other.id), '--enabled', 'false')).code).toBe(0)
    expect((await world.monitorctl('channels', 'delete', String(other.id), '--yes')).code).toBe(0)
  })

  test('who may: viewers see how it went and not what was said, members all of it, strangers nothing', async () => {
    const [{ id }] = (await log('?status=failed')).data
    const one = `${path}/deliveries/${id}`
    expect((await people.member.get(one)).body.data).toMatchObject({
      error: expect.any(String),
      body: expect.any(String),
    })
    expect((await people.viewer.get(one)).body.data).toMatchObject({ status: 'failed', error: null, body: null })
    for (const { error } of (await people.viewer.get(`${path}/deliveries`)).body.data) expect(error).toBeNull()
    for (const person of [people.viewer, people.member]) {
      expect((await person.post(`${one}/replay`, undefined)).status).toBe(403)
    }
    for (const at of [`${path}/deliveries`, one]) {
      expect((await people.stranger.get(at)).status).toBe(404)
      expect((await ask(world.url, 'GET', at)).status).toBe(401)
    }
    expect((await people.stranger.post(`${one}/replay`, undefined)).status).toBe(404)
    expect((await ask(world.url, 'POST', `${one}/replay`)).status).toBe(401)
    expect((await people.owner.get(`${path}/deliveries/msg_none`)).status).toBe(404)
  })

  test('the log goes with the channel', async () => {
    await people.owner.delete(path)
    expect((await people.owner.get(`${path}/deliveries`)).status).toBe(404)
  })
})

test('a test of a receiver that never answers is answered within 15 seconds', async () => {
  const world = await World.create()
  await world.server()
  const owner = new Person(world, world.credentials.api_token)
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`
  const { body } = await owner.post('/v1/channels', { name: 'silent', type: 'slack', url })
  const began = Date.now()
  const answer = await owner.post(`/v1/channels/${body.data.id}/test`, undefined)
  expect(Date.now() - began).toBeLessThan(15_000)
  expect(answer.body.data).toEqual({ delivered: false, response_status: null, error: 'No answer in time' })
  silent.closeAllConnections()
  silent.close()
  await world.close()
})
