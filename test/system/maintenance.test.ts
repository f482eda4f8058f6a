import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, lonelyProbe, Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { eventually, type Running, World } from '../world.ts'

// What a window does to alerts is decided in the commit of a result, or of a worker of any replica: asked of both engines.
describe.each(['sqlite', 'postgres'] as const)('maintenance, on %s', engine => {
  const receiver = new Receiver()
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let server: Running
  let owner: Person
  let probe: Person

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    server = await world.server()
    owner = new Person(world, world.credentials.api_token)
    probe = await lonelyProbe(world, owner)
    await owner.post('/v1/channels', { name: 'hook', type: 'webhook', url: await receiver.start() })
  })
  afterAll(async () => {
    await world?.close()
    await receiver.stop()
    await place?.remove()
  })

  async function monitor(name: string): Promise<number> {
    const { body } = await owner.post('/v1/monitors', {
      name,
      type: 'tcp',
      target: 'db.internal:5432',
      options: { confirmations: 1, auto_incident: true },
    })
    await probe.get('/v1/probe/get-checks?limit=1000')
    return body.data.id
  }
  const sees = async (monitor_id: number, status: string, more: object = {}) => {
    const error_message = status === 'offline' ? 'refused' : undefined
    const answer = await probe.post('/v1/probe/check-result', { monitor_id, status, error_message, ...more })
    expect([answer.status, answer.body.data?.status], JSON.stringify(answer.body)).toEqual([200, status])
  }
  const windows = '/v1/maintenance-windows'
  const maintain = async (monitor_id: number, body: object = {}): Promise<{ id: number; starts_at: string }> => {
    const given = { title: 'Upgrade', monitor_ids: [monitor_id], duration: 3600, ...body }
    return (await owner.post(windows, given)).body.data
  }
  const end = async ({ id, starts_at }: { id: number; starts_at: string }) => {
    const ends_at = new Date(Date.parse(starts_at) + 1).toISOString()
    expect((await owner.patch(`${windows}/${id}`, { ends_at })).body.data.status).toBe('ended')
  }
  const incidents = async (monitor_id: number) => {
    const { body } = await owner.get('/v1/incidents?source=automatic&per_page=100&sort=id')
    return body.data.filter((incident: { monitor_ids: number[] }) => incident.monitor_ids.includes(monitor_id))
  }
  const told = (monitor_id: number) =>
    receiver.received
      .map(({ body }) => body)
      .filter(({ event, data }) => event === 'monitor.status_changed' && data.monitor_id === monitor_id)
      .map(({ data }) => `${data.old_status} → ${data.new_status}`)
  /** Everything that was to be told has arrived: deliveries come in the order in which things happened. */
  const arrived = async () => {
    const id = await monitor('Mark')
    await sees(id, 'online')
    await eventually('the mark', async () => told(id).length === 1)
  }

  test('an outage within a window is told to nobody, and counts neither up nor down', async () => {
    const id = await monitor('Within')
    await sees(id, 'online')
    const window = await maintain(id)
    await sees(id, 'offline')
    expect((await owner.get(`/v1/monitors/${id}`)).body.data).toMatchObject({
      status: 'offline',
      in_maintenance: true,
      uptime_24h: 100,
    })
    await sees(id, 'online')
    await end(window)
    await sees(id, 'online')
    await arrived()
    expect(told(id)).toEqual(['pending → online'])
    expect(await incidents(id)).toEqual([])
  })

  test('what is still down when it ends is told once, by the next result', async () => {
    const id = await monitor('Stays down')
    await sees(id, 'online')
    const window = await maintain(id)
    await sees(id, 'offline')
    await sees(id, 'offline')
    await arrived()
    expect([told(id), await incidents(id)]).toEqual([['pending → online'], []])
    await end(window)
    await Promise.all([sees(id, 'offline'), sees(id, 'offline'), sees(id, 'offline')])
    await eventually('the outage', async () => told(id).length === 2)
    await arrived()
    expect(told(id)).toEqual(['pending → online', 'online → offline'])
    expect(await incidents(id)).toMatchObject([{ title: 'Stays down is down', status: 'investigating' }])
    await sees(id, 'online')
    await arrived()
    expect(told(id).at(-1)).toBe('offline → online')
    expect(await incidents(id)).toMatchObject([{ status: 'resolved' }])
    expect((await owner.get(`/v1/monitors/${id}`)).body.data.uptime_24h).toBe(40)
  })

  test('the recovery of an outage that was told before is told at once, and ends its incident', async () => {
    const id = await monitor('Before')
    await sees(id, 'offline')
    await maintain(id)
    await sees(id, 'online')
    await arrived()
    expect(told(id)).toEqual(['pending → offline', 'offline → online'])
    expect(await incidents(id)).toMatchObject([{ status: 'resolved' }])
    await sees(id, 'offline')
    await arrived()
    expect(told(id)).toHaveLength(2)
    expect(await incidents(id)).toHaveLength(1)
  })

  test('a window that is deleted, shortened, or about others now ends like any; one that overlaps holds on', async () => {
    const [deleted, shortened, other] = [await monitor('Deleted'), await monitor('Shortened'), await monitor('Other')]
    for (const id of [deleted, shortened, other]) await sees(id, 'online')
    const [first, second, third] = [await maintain(deleted), await maintain(shortened), await maintain(other)]
    const overlap = await maintain(other)
    for (const id of [deleted, shortened, other]) await sees(id, 'offline')
    await owner.delete(`${windows}/${first.id}`)
    await end(second)
    await owner.patch(`${windows}/${third.id}`, { monitor_ids: [deleted] })
    await owner.patch(`${windows}/${third.id}`, {
      monitor_ids: [shortened],
      starts_at: '2090-01-01T00:00:00Z',
      duration: 60,
    })
    for (const id of [deleted, shortened, other]) await sees(id, 'offline')
    await arrived()
    expect([told(deleted).at(-1), told(shortened).at(-1), told(other)]).toEqual([
      'online → offline',
      'online → offline',
      ['pending → online'],
    ])
    await owner.patch(`${windows}/${overlap.id}`, { monitor_ids: [deleted] })
    await sees(other, 'offline')
    await arrived()
    expect(told(other).at(-1)).toBe('online → offline')
    await owner.delete(`${windows}/${overlap.id}`)
  })

  test('without another result it is told once by itself, over a restart, too; the monitor is looked at again first', async () => {
    const [silent, well] = [await monitor('Silent'), await monitor('Well again')]
    for (const id of [silent, well]) await sees(id, 'online')
    const window = await maintain(silent, { monitor_ids: [silent, well] })
    for (const id of [silent, well]) await sees(id, 'offline')
    const leased = async () => (await probe.get('/v1/probe/get-checks?limit=1000')).body.data
    await leased()
    await end(window)
    const due = new Set<number>()
    await eventually('both are due', async () => {
      for (const check of await leased()) due.add(check.monitor_id)
      return due.has(silent) && due.has(well)
    })
    await sees(well, 'online')
    const { port } = new URL(world.url)
    await server.stop('SIGKILL')
    server = await world.server(`127.0.0.1:${port}`)
    await eventually('the outage', async () => told(silent).length === 2)
    await arrived()
    expect(told(silent)).toEqual(['pending → online', 'online → offline'])
    expect(
      receiver.received.find(({ body }) => body.data.new_status === 'offline' && body.data.monitor_id === silent)?.body
        .data.error_message,
    ).toBe('It was offline in maintenance, and has not been seen online since that is over.')
    expect(await incidents(silent)).toMatchObject([{ status: 'investigating' }])
    expect([told(well), await incidents(well)]).toEqual([['pending → online'], []])
  })

  test('a result from within that comes late is counted within, and one from before is not', async () => {
    const id = await monitor('Late')
    await sees(id, 'online')
    const now = Date.now()
    const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
    await maintain(id, { starts_at: ago(20), ends_at: ago(10), duration: undefined })
    const late = async (minutes: number) =>
      probe.post('/v1/probe/check-result', { monitor_id: id, status: 'offline', checked_at: ago(minutes) })
    await late(15)
    expect((await owner.get(`/v1/monitors/${id}`)).body.data.uptime_24h).toBe(100)
    await late(25)
    expect((await owner.get(`/v1/monitors/${id}`)).body.data.uptime_24h).toBe(50)
  })

  test('monitorctl runs a command within a window of its own, and gives back its output and its code', async () => {
    const id = await monitor('Deployed')
    const create = ['maintenance', 'create', '--monitor', String(id), '--for', '10m', '--']
    const look = `curl -s -H "Authorization: Bearer $WATCHPOST_TOKEN" $WATCHPOST_URL/v1/monitors/${id}; exit 3`
    const ran = await world.monitorctl(...create, 'sh', '-c', look)
    expect(ran.code, ran.stderr).toBe(3)
    expect(JSON.parse(ran.stdout).data).toMatchObject({ id, in_maintenance: true })
    await eventually(
      'the window is over',
      async () => !(await owner.get(`/v1/monitors/${id}`)).body.data.in_maintenance,
    )
    const env = { WATCHPOST_URL: world.url, WATCHPOST_TOKEN: world.credentials.api_token }
    const running = world.start(
      'monitorctl',
      [...create, 'sh', '-c', "trap 'exit 9' TERM; echo ready; while :; do sleep 0.1; done"],
      env,
    )
    await running.wrote(/^ready$/m)
    expect(await running.stop('SIGTERM')).toBe(9)
    await eventually('no window is left', async () => {
      const { body } = await owner.get(`${windows}?per_page=100&status=active`)
      return !body.data.some(({ monitor_ids }: { monitor_ids: number[] }) => monitor_ids.includes(id))
    })
  })

  test('a page shows what runs and what is near, of its own monitors alone, and is not partial for it', async () => {
    const [shown, hidden] = [await monitor('Checkout'), await monitor('Secret')]
    const page = (await owner.post('/v1/status-pages', { slug: 'acme', title: 'Acme' })).body.data.id
    await owner.post(`/v1/status-pages/${page}/monitors`, { monitor_id: shown })
    await sees(shown, 'offline')
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const made = [
      await maintain(shown, { title: 'Now', description: 'New disks.', monitor_ids: [shown, hidden] }),
      await maintain(shown, { title: 'Soon', starts_at: at(100) }),
      await maintain(shown, { title: 'Sooner', starts_at: at(1), recurrence: { frequency: 'daily' } }),
      await maintain(shown, { title: 'In a month', starts_at: at(700) }),
      await maintain(hidden, { title: 'Hidden', starts_at: at(-0.5) }),
      await maintain(shown, { title: 'Over', starts_at: at(-2) }),
    ]
    const read = async () => (await ask(world.url, 'GET', '/api/status/acme')).body
    const payload = await eventually('the page', async () => {
      const body = await read()
      return body.maintenance.length === 3 && body
    })
    expect(payload).toMatchObject({ overall_status: 'operational', groups: [{ status: 'operational' }] })
    expect(payload.monitors).toMatchObject([{ id: shown, current_status: 'unknown', in_maintenance: true }])
    expect(payload.maintenance).toMatchObject([
      {
        title: 'Now',
        description: 'New disks.',
        status: 'active',
        monitor_ids: [shown],
        starts_at: made[0]?.starts_at,
      },
      { title: 'Sooner', status: 'scheduled', starts_at: made[2]?.starts_at },
      { title: 'Soon', status: 'scheduled', monitor_ids: [shown] },
    ])
    expect(JSON.stringify(payload)).not.toMatch(/Hidden|Secret/)
    expect((await ask(world.url, 'GET', `/api/monitors/${shown}/uptime`)).body.current_status).toBe('unknown')
    const { body: html } = await ask(world.url, 'GET', '/status/acme')
    const words = ['Now', 'New disks.', 'Sooner', 'Soon', 'Hidden', 'Secret', 'In a month', 'Over']
    expect(words.filter(word => html.includes(`>${word}<`))).toEqual(['Now', 'New disks.', 'Sooner', 'Soon'])
    await owner.delete(`${windows}/${made[0]?.id}`)
    await eventually('it is down again', async () => (await read()).overall_status === 'partial')
    expect((await read()).monitors).toMatchObject([{ current_status: 'down', in_maintenance: false }])
  })
})
