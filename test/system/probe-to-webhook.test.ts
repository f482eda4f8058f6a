import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { allTargets, type Target } from '../targets.ts'
import { eventually, type Running, World } from '../world.ts'

interface Monitor {
  id: number
  name: string
  status: string
}

const downOn = (payload: { monitors: { name: string; current_status: string }[] }) =>
  payload.monitors.filter(monitor => monitor.current_status === 'down').map(monitor => monitor.name)

// The main job on both engines: three processes, real targets of every kind, everything said over HTTP.
describe.each(['sqlite', 'postgres'] as const)('the way of a check, on %s', engine => {
  const receiver = new Receiver()
  let targets: Map<string, Target>
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let owner: Person
  let server: Running
  let probe: Running
  let probeToken: string
  let secret: string

  // The probe, called one, is watched itself.
  const names = () => ['one', ...targets.keys()]
  const all = (status: string) => Object.fromEntries(names().map(name => [name, status]))
  const statuses = async () => {
    const { body } = await owner.get('/v1/monitors')
    return Object.fromEntries(body.data.map((monitor: Monitor) => [monitor.name, monitor.status]))
  }
  const becomes = (expected: Record<string, string>) =>
    eventually(`statuses ${JSON.stringify(expected)}`, async () => {
      const seen = await statuses()
      if (JSON.stringify(seen) !== JSON.stringify(expected)) throw new Error(JSON.stringify(seen))
      return true
    })
  const changes = () => receiver.received.map(({ body }) => `${body.data.monitor_name} ${body.data.new_status}`)

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    owner = new Person(world, world.credentials.api_token)
    server = await world.server()
    targets = await allTargets()
  })
  afterAll(async () => {
    await world?.close()
    await receiver.stop()
    for (const target of targets.values()) await target.stop()
    await place?.remove()
  })

  test('a webhook channel and a probe are made with monitorctl', async () => {
    const url = await receiver.start()
    const channel = ['--name', 'hook', '--type', 'webhook', '--url', url, '--event', 'monitor.status_changed']
    secret = (await world.ctl<{ secret: string }>('channels', 'create', ...channel)).secret
    expect(secret).toMatch(/^whsec_/)
    probeToken = (await world.ctl<{ token: string }>('probes', 'create', '--name', 'one')).token
    expect(probeToken).toMatch(/^wp_probe_/)
  })

  test('one monitor of each kind is pending until a probe looks', async () => {
    for (const [name, { monitor }] of targets) {
      const options = { retry_interval: 1, ...(monitor.options as object) }
      const made = await owner.post('/v1/monitors', { name, interval: 10, timeout: 2, ...monitor, options })
      expect([made.status, made.body.data?.status]).toEqual([201, 'pending'])
    }
    expect(await statuses()).toEqual(all('pending'))
  })

  test('with a probe all come online, each with one signed event', async () => {
    probe = await world.probe(probeToken)
    await becomes(all('online'))
    await eventually('an event for each', async () => receiver.received.length === names().length)
    receiver.verifyAll(secret)
    expect(changes().sort()).toEqual(
      names()
        .map(name => `${name} online`)
        .sort(),
    )
    expect(receiver.received.find(({ body }) => body.data.monitor_name !== 'one')?.body).toEqual({
      event: 'monitor.status_changed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        monitor_id: expect.any(Number),
        monitor_name: expect.any(String),
        old_status: 'pending',
        new_status: 'online',
        response_time: expect.any(Number),
        error_message: null,
      },
    })
  })

  test('a public page shows it, with the history of today', async () => {
    const page = await world.ctl<{ id: number }>('status-pages', 'create', '--slug', 'acme', '--title', 'Acme status')
    const { data } = await world.ctl<{ data: Monitor[] }>('monitors', 'list')
    for (const { id } of data) await world.ctl('status-pages', 'assign', String(page.id), String(id))
    const { body } = await eventually('all are on the page', async () => {
      const answer = await ask(world.url, 'GET', '/api/status/acme')
      return answer.body.monitors?.length === names().length && answer
    })
    expect(body.overall_status).toBe('operational')
    expect(body.uptime_history).toHaveLength(90)
    const date = new Date().toISOString().slice(0, 10)
    expect(body.uptime_history.at(-1)).toEqual({ date, uptime: 100, hasData: true })
  })

  // Half of them at a time: each half is told apart from the other, and both engines fit into a coffee break.
  test.each([[['http', 'tcp', 'dns']], [['https', 'ssl', 'ping']]])(
    'the targets %j stop, exactly those go offline, and come back',
    async stopped => {
      const expected = { ...all('online'), ...Object.fromEntries(stopped.map(name => [name, 'offline'])) }
      for (const name of stopped) await targets.get(name)?.stop()
      await becomes(expected)
      const { body } = await eventually('the page says so', async () => {
        const answer = await ask(world.url, 'GET', '/api/status/acme')
        return downOn(answer.body).length === stopped.length && answer
      })
      expect(body.overall_status).toBe('partial')
      expect(downOn(body).sort()).toEqual(stopped.toSorted())
      for (const name of stopped) await targets.get(name)?.start()
      await becomes(all('online'))
    },
  )

  test('webhook deliveries and status changes match one to one', async () => {
    const expected = ['one online']
    for (const name of targets.keys()) expected.push(`${name} online`, `${name} offline`, `${name} online`)
    await eventually('all delivered', async () => receiver.received.length >= expected.length)
    expect(changes().sort()).toEqual(expected.sort())
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(expected.length)
    receiver.verifyAll(secret)
    const failed = receiver.received.filter(({ body }) => body.data.new_status === 'offline')
    for (const { body } of failed) expect(body.data.error_message, body.data.monitor_name).toBeTruthy()
  })

  test('with the receiver away, an event arrives later', async () => {
    await receiver.stop()
    await targets.get('http')?.stop()
    await becomes({ ...all('online'), http: 'offline' })
    await server.wrote(/delivery failed/)
    const before = receiver.received.length
    await receiver.start()
    await eventually('it arrives', async () => receiver.received.length > before)
    expect(changes().at(-1)).toBe('http offline')
    await targets.get('http')?.start()
    await becomes(all('online'))
    await eventually('its recovery too', async () => changes().at(-1) === 'http online')
  })

  test('after kill -9 of server and probe, what was acknowledged and what was pending is there', async () => {
    await receiver.stop()
    await targets.get('tcp')?.stop()
    await becomes({ ...all('online'), tcp: 'offline' })
    const before = receiver.received.length
    const history = async () => (await owner.get('/v1/monitors/2/checks')).body.meta.total
    const known = await history()

    await Promise.all([server.stop('SIGKILL'), probe.stop('SIGKILL')])
    server = await world.server(new URL(world.url).host)
    expect(await history()).toBeGreaterThanOrEqual(known)
    expect(await statuses()).toEqual({ ...all('online'), tcp: 'offline' })

    await receiver.start()
    // One that was being tried when its server was killed is nobody else's for another 45 s, where there may be others.
    await eventually('the pending delivery', async () => receiver.received.length > before, 120_000)
    expect(changes().at(-1)).toBe('tcp offline')
    await targets.get('tcp')?.start()
    probe = await world.probe(probeToken)
    await becomes(all('online'))
    receiver.verifyAll(secret)
  })

  test('SIGTERM ends both at once, with 0', async () => {
    expect(await probe.stop()).toBe(0)
    expect(await server.stop()).toBe(0)
  })
})
