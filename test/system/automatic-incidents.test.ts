import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ask, Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { eventually, World } from '../world.ts'

interface Incident {
  id: number
  title: string
  status: string
  monitor_ids: number[]
}

// What a monitor does to its incident is decided in the commit of a result, so it is asked of both engines.
describe.each(['sqlite', 'postgres'] as const)('automatic incidents, on %s', engine => {
  const receiver = new Receiver()
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let owner: Person
  let probe: Person

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    await world.server()
    owner = new Person(world, world.credentials.api_token)
    probe = new Person(world, (await owner.post('/v1/probes', { name: 'p' })).body.data.token)
    await owner.post('/v1/channels', { name: 'hook', type: 'webhook', url: await receiver.start() })
  })
  afterAll(async () => {
    await world?.close()
    await receiver.stop()
    await place?.remove()
  })

  async function monitor(name: string, options: object = {}): Promise<number> {
    const { body } = await owner.post('/v1/monitors', {
      name,
      type: 'tcp',
      target: 'db.internal:5432',
      options: { confirmations: 1, ...options },
    })
    await probe.get('/v1/probe/get-checks?limit=1000')
    return body.data.id
  }
  const sees = async (monitor_id: number, status: string, more: object = {}) => {
    const error_message = status === 'offline' ? 'db.internal refused' : undefined
    const result = { monitor_id, status, response_time_ms: null, error_message, ...more }
    const answer = await probe.post('/v1/probe/check-result', result)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  }
  const incidentsOf = async (monitor_id: number): Promise<Incident[]> => {
    const { body } = await owner.get('/v1/incidents?source=automatic&per_page=100&sort=id')
    return body.data.filter((incident: Incident) => incident.monitor_ids.includes(monitor_id))
  }
  const incident = async (id: number) => (await owner.get(`/v1/incidents/${id}`)).body.data
  const eventsOf = (incident_id: number) =>
    receiver.received.map(({ body }) => body).filter(({ data }) => data.incident_id === incident_id)

  test('a monitor that goes offline opens one, its recovery resolves it, receivers are told of both', async () => {
    const id = await monitor('Shop')
    await sees(id, 'online')
    expect(await incidentsOf(id)).toEqual([])
    await sees(id, 'offline')
    const [opened] = await incidentsOf(id)
    expect(opened).toMatchObject({
      title: 'Shop is down',
      description: null,
      status: 'investigating',
      severity: 'major',
      source: 'automatic',
      monitor_ids: [id],
      status_page_ids: [],
      resolved_at: null,
    })
    await sees(id, 'offline')
    expect(await incidentsOf(id)).toHaveLength(1)
    await sees(id, 'online')
    const over = await incident(opened?.id as number)
    expect(over).toMatchObject({
      status: 'resolved',
      resolved_at: expect.stringMatching(/Z$/),
      updates: [{ message: 'Shop is up again.', status: 'resolved' }],
    })
    await eventually('both events', async () => eventsOf(over.id).length === 2)
    const shown = {
      incident_id: over.id,
      title: 'Shop is down',
      severity: 'major',
      source: 'automatic',
      monitor_ids: [id],
      status_page_ids: [],
      started_at: over.started_at,
    }
    const events = eventsOf(over.id).toSorted((a, b) => (a.event < b.event ? -1 : 1))
    expect(events).toEqual([
      {
        event: 'incident.created',
        timestamp: over.created_at,
        data: { ...shown, status: 'investigating', resolved_at: null },
      },
      {
        event: 'incident.updated',
        timestamp: over.updated_at,
        data: {
          ...shown,
          status: 'resolved',
          resolved_at: over.resolved_at,
          old_status: 'investigating',
          update: over.updates[0],
        },
      },
    ])
    expect(JSON.stringify(events)).not.toContain('db.internal')
    await sees(id, 'offline')
    expect(await incidentsOf(id)).toHaveLength(2)
  })

  test('the first verdict of all opens one, too', async () => {
    const id = await monitor('Born offline')
    await sees(id, 'offline')
    expect(await incidentsOf(id)).toMatchObject([{ status: 'investigating' }])
  })

  test('a failure that is not confirmed, and the trouble of the probe, open none', async () => {
    const id = await monitor('Flaky', { confirmations: 2 })
    await sees(id, 'offline')
    await sees(id, 'error')
    expect(await incidentsOf(id)).toEqual([])
  })

  test('results that race open one, and resolve it once', async () => {
    const id = await monitor('Raced')
    await Promise.all(Array.from({ length: 8 }, () => sees(id, 'offline')))
    const [opened, ...others] = await incidentsOf(id)
    expect(others).toEqual([])
    await Promise.all(Array.from({ length: 8 }, () => sees(id, 'online')))
    expect((await incident(opened?.id as number)).updates).toHaveLength(1)
    await eventually('its events', async () => eventsOf(opened?.id as number).length >= 2)
    await sees(await monitor('Afterwards'), 'offline')
    await eventually('later events', async () =>
      receiver.received.some(({ body }) => body.data.title === 'Afterwards is down'),
    )
    expect(eventsOf(opened?.id as number)).toHaveLength(2)
  })

  test('a recovery that races with what a person says loses neither', async () => {
    const id = await monitor('Both')
    await sees(id, 'offline')
    const [opened] = await incidentsOf(id)
    const say = (message: string) => owner.post(`/v1/incidents/${opened?.id}/updates`, { message })
    await Promise.all([say('One'), sees(id, 'online'), say('Two'), say('Three')])
    const { status, updates } = await incident(opened?.id as number)
    expect(status).toBe('resolved')
    expect(updates.map((update: { message: string }) => update.message).sort()).toEqual([
      'Both is up again.',
      'One',
      'Three',
      'Two',
    ])
  })

  test('auto_incident: false opens none; one that is open is resolved all the same', async () => {
    const id = await monitor('Quiet', { auto_incident: false })
    await sees(id, 'offline')
    expect(await incidentsOf(id)).toEqual([])
    const loud = await monitor('Loud')
    await sees(loud, 'offline')
    await owner.patch(`/v1/monitors/${loud}`, { options: { confirmations: 1, auto_incident: false } })
    await sees(loud, 'online')
    expect(await incidentsOf(loud)).toMatchObject([{ status: 'resolved' }])
  })

  test('a monitor that is paused has its incident open until it is seen online', async () => {
    const id = await monitor('Paused')
    await sees(id, 'offline')
    await owner.patch(`/v1/monitors/${id}`, { enabled: false })
    await owner.patch(`/v1/monitors/${id}`, { enabled: true })
    expect(await incidentsOf(id)).toMatchObject([{ status: 'investigating' }])
    await sees(id, 'offline')
    expect(await incidentsOf(id)).toMatchObject([{ status: 'investigating' }])
    await sees(id, 'online')
    expect(await incidentsOf(id)).toMatchObject([{ status: 'resolved' }])
  })

  test('what a person resolved stays so; reopened, the recovery resolves it; two are never open', async () => {
    const id = await monitor('By hand')
    await sees(id, 'offline')
    const [first] = await incidentsOf(id)
    const path = `/v1/incidents/${first?.id}`
    await owner.patch(path, { status: 'resolved' })
    await sees(id, 'online')
    expect((await incident(first?.id as number)).updates).toEqual([])
    expect((await owner.patch(path, { status: 'monitoring' })).status).toBe(200)
    await sees(id, 'offline')
    expect(await incidentsOf(id)).toHaveLength(1)
    await sees(id, 'online')
    expect(await incidentsOf(id)).toMatchObject([{ status: 'resolved' }])
    await sees(id, 'offline')
    const again = await owner.patch(path, { status: 'monitoring' })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect(await incidentsOf(id)).toMatchObject([{ status: 'resolved' }, { status: 'investigating' }])
  })

  test('with its monitor deleted it is resolved and stays, and receivers are told', async () => {
    const id = await monitor('Deleted')
    const own = new Receiver()
    onTestFinished(() => own.stop())
    const channel = { name: 'own', type: 'webhook', url: await own.start(), monitor_ids: [id] }
    await owner.post('/v1/channels', channel)
    await sees(id, 'offline')
    const [opened] = await incidentsOf(id)
    expect((await owner.delete(`/v1/monitors/${id}`)).status).toBe(200)
    expect(await incident(opened?.id as number)).toMatchObject({
      status: 'resolved',
      monitor_ids: [],
      updates: [{ message: 'The monitor was deleted; nobody watches this any more.' }],
    })
    await eventually('the event', async () => eventsOf(opened?.id as number).some(({ data }) => data.update !== null))
    await eventually('the event, where only this monitor is listened to', async () =>
      own.received.some(({ body: { event, data } }) => event === 'incident.updated' && data.status === 'resolved'),
    )
  })

  test('a monitor deleted while results come in leaves none open', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await monitor(`Going ${round}`)
      const result = { monitor_id: id, status: 'offline', response_time_ms: null }
      const [deleted] = await Promise.all([
        owner.delete(`/v1/monitors/${id}`),
        probe.post('/v1/probe/check-result', result),
      ])
      expect(deleted.status).toBe(200)
    }
    const { body } = await owner.get('/v1/incidents?status=investigating&per_page=100')
    expect(body.data.filter(({ title }: Incident) => title.startsWith('Going'))).toEqual([])
  })

  test('a page that shows the monitor shows it, and nothing of the inside', async () => {
    const id = await monitor('Checkout')
    await owner.post('/v1/status-pages', { slug: 'auto', title: 'Auto' })
    const { body: pages } = await owner.get('/v1/status-pages?slug=auto')
    await owner.post(`/v1/status-pages/${pages.data[0].id}/monitors`, { monitor_id: id })
    await sees(id, 'offline')
    const { body } = await ask(world.url, 'GET', '/api/status/auto')
    expect(body.incidents).toMatchObject([
      { monitor_name: 'Checkout', title: 'Checkout is down', status: 'investigating', severity: 'major' },
    ])
    expect(JSON.stringify(body)).not.toContain('db.internal')
  })
})
