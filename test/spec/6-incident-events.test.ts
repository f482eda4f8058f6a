import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { eventually, World } from '../world.ts'

let world: World
let owner: Person
let secret: string
const receiver = new Receiver()

beforeAll(async () => {
  world = await World.create()
  await world.server()
  owner = new Person(world, world.credentials.api_token)
  const url = await receiver.start()
  secret = (await owner.post('/v1/channels', { name: 'hook', type: 'webhook', url })).body.data.secret
})
afterAll(async () => {
  await world.close()
  await receiver.stop()
})

const next = async (count: number) => {
  await eventually(`${count} events`, async () => receiver.received.length >= count)
  return receiver.received[count - 1]?.body
}

test('an incident is announced when it is created and at every change, signed, as the OpenAPI document says', async () => {
  const { body } = await owner.post('/v1/incidents', { title: 'Slow', description: 'db.internal is full' })
  const made = body.data
  const data = {
    incident_id: made.id,
    title: 'Slow',
    status: 'investigating',
    severity: 'major',
    source: 'manual',
    monitor_ids: [],
    status_page_ids: [],
    started_at: made.started_at,
    resolved_at: null,
  }
  expect(await next(1)).toEqual({ event: 'incident.created', timestamp: made.created_at, data })

  const path = `/v1/incidents/${made.id}`
  const update = (await owner.post(`${path}/updates`, { message: 'Found', status: 'identified' })).body.data
  expect(await next(2)).toEqual({
    event: 'incident.updated',
    timestamp: update.created_at,
    data: { ...data, status: 'identified', old_status: 'investigating', update },
  })

  const resolved = (await owner.patch(path, { status: 'resolved' })).body.data
  expect((await next(3)).data).toEqual({
    ...data,
    status: 'resolved',
    resolved_at: resolved.resolved_at,
    old_status: 'identified',
    update: null,
  })

  await owner.put(path, { title: 'Back' })
  expect((await next(4)).data).toMatchObject({
    title: 'Back',
    status: 'investigating',
    old_status: 'resolved',
    resolved_at: null,
  })

  receiver.verifyAll(secret)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(4)
  expect(JSON.stringify(receiver.received.map(({ body }) => body))).not.toContain('db.internal')
  const { body: document } = await ask(world.url, 'GET', '/openapi.json')
  const ajv = new Ajv({ strict: false, formats: { 'date-time': true } }).addSchema(document, 'api')
  for (const { body } of receiver.received) {
    const pointer = `api#/webhooks/${body.event}/post/requestBody/content/application~1json/schema`
    expect(ajv.validate({ $ref: pointer }, body), ajv.errorsText()).toBe(true)
  }
})

test('what is refused is not announced', async () => {
  const before = receiver.received.length
  await owner.post('/v1/incidents', { title: 'x', monitor_ids: [999] })
  await owner.patch('/v1/incidents/1', { monitor_ids: [999] })
  await owner.post('/v1/incidents', { title: 'Last' })
  expect(await next(before + 1)).toMatchObject({ event: 'incident.created', data: { title: 'Last' } })
})
