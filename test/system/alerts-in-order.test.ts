import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lonelyProbe, Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { eventually, World } from '../world.ts'

let world: World
let owner: Person
let probe: Person
let monitor: number
const receiver = new Receiver()
let silent: Server

beforeAll(async () => {
  world = await World.create()
  await world.server()
  owner = new Person(world, world.credentials.api_token)
  probe = await lonelyProbe(world, owner)
  const body = { name: 'm', type: 'tcp', target: 'a.example:22', options: { confirmations: 1 } }
  monitor = (await owner.post('/v1/monitors', body)).body.data.id
  await probe.get('/v1/probe/get-checks')
  // Takes what it is sent, and never answers.
  silent = createServer(() => undefined)
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await world.close()
  await receiver.stop()
  silent.closeAllConnections()
  silent.close()
})

const becomes = (status: string) =>
  probe.post('/v1/probe/check-result', { monitor_id: monitor, status, response_time_ms: null })
const channel = (name: string, url: string) =>
  owner.post('/v1/channels', { name, type: 'webhook', url, events: ['monitor.status_changed'] })
const heard = () => receiver.received.map(({ body }) => body.data.new_status)

test('a receiver that never answers delays nobody else', async () => {
  await channel('silent', `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`)
  await channel('quick', await receiver.start())
  const began = Date.now()
  for (const status of ['online', 'offline', 'online', 'offline']) await becomes(status)
  await eventually('all four', async () => heard().length === 4)
  expect(Date.now() - began).toBeLessThan(9000)
  expect(heard()).toEqual(['online', 'offline', 'online', 'offline'])
})

test('what happened later does not arrive earlier, after a failure either', async () => {
  await receiver.stop()
  await receiver.start(503)
  receiver.received.length = 0
  await becomes('online')
  await eventually('it was refused once', async () => receiver.refused > 0)
  await becomes('offline')
  await receiver.stop()
  await receiver.start()
  await eventually('both', async () => heard().length === 2)
  expect(heard()).toEqual(['online', 'offline'])
})

test('a receiver that says 410 is not called again', async () => {
  await receiver.stop()
  await receiver.start(410)
  await becomes('online')
  await eventually('the channel is off', async () => {
    const { body } = await owner.get('/v1/channels?name=quick')
    return body.data[0].disabled_at !== null
  })
  const before = receiver.refused
  await becomes('offline')
  await becomes('online')
  expect((await owner.get('/v1/channels?name=silent')).body.data[0].disabled_at).toBeNull()
  expect(receiver.refused).toBe(before)
})
