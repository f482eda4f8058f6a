import { describe, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { ask, Person } from '../people.ts'
import { runProgram } from '../world.ts'

const host = {
  hostname: 'fra-1',
  platform: 'linux x64',
  uptime_s: 3600,
  cpu_percent: 50,
  load_1: 0.5,
  memory_total_bytes: 1000,
  memory_used_bytes: 250,
  disk_total_bytes: 2000,
  disk_used_bytes: 1900,
}
const work = { monitors: 12, running: 1, missed: 2, spooled: 3, dropped: 0, lag_ms: 4 }

onEachEngine(stage => {
  /** A probe, its server monitor, and itself. */
  async function provision(name = 'fra-1', by = stage.people.owner) {
    const { status, body } = await by.post('/v1/probes', { name })
    expect(status).toBe(201)
    const probe = new Person(stage.world, body.data.token)
    const beat = async (body: object = { host, work }) => {
      const answer = await probe.post('/v1/probe/heartbeat', body)
      expect([answer.status, answer.body.message]).toEqual([200, 'Heard'])
      return answer.body.data
    }
    return {
      ...(body.data as { id: number; monitor_id: number }),
      probe,
      beat,
      path: `/v1/monitors/${body.data.monitor_id}`,
    }
  }
  const read = async (path: string, by = stage.people.viewer) => (await by.get(path)).body.data

  describe('a server monitor', () => {
    test('is made with its probe, and pending until that is heard', async () => {
      const { id, monitor_id, path } = await provision()
      expect(await read(path)).toMatchObject({
        id: monitor_id,
        name: 'fra-1',
        target: 'fra-1',
        type: 'server',
        status: 'pending',
        interval: 30,
        probe_id: id,
        host: null,
        uptime_24h: null,
      })
      const { data } = (await stage.people.viewer.get(`/v1/monitors?type=server&probe_id=${id}`)).body
      expect(data.map((each: { id: number }) => each.id)).toEqual([monitor_id])
      expect((await read(`${path}/explain`)).reasons).toEqual(['Its probe has not been heard from yet.'])
    })

    test('is online with the first heartbeat, and shows how the machine is', async () => {
      const { monitor_id, path, beat } = await provision()
      const heard = await beat()
      expect(heard).toEqual({ monitor_id, status: 'online', next_heartbeat_seconds: expect.any(Number) })
      const monitor = await read(path)
      expect(monitor).toMatchObject({ status: 'online', uptime_24h: 100 })
      expect(monitor.host).toMatchObject({ hostname: 'fra-1', cpu_percent: 50, memory_percent: 25, disk_percent: 95 })
      expect(monitor.host).toMatchObject({ spool_percent: null, load_15: null })
      expect(Math.abs(Date.parse(monitor.host.reported_at) - Date.now())).toBeLessThan(10_000)
      expect((await read(`${path}/checks`))[0]).toMatchObject({ status: 'online', probe: 'fra-1' })
    })

    test('has metrics of the machine beside its uptime', async () => {
      const { path, beat } = await provision()
      await beat()
      await beat({ host: { ...host, cpu_percent: 100, load_1: null } })
      for (const resolution of ['raw', '5m', '1h', '1d']) {
        const metrics = await read(`${path}/metrics?resolution=${resolution}`)
        expect(metrics).toMatchObject({ uptime: 100, checks: 1 })
        // Two, if the five minutes were over in between.
        const { cpu_percent_max, load_1, memory_percent } = metrics.host.at(-1)
        expect([cpu_percent_max, memory_percent, metrics.host.length <= 2]).toEqual([100, 25, true])
        expect([0.5, null]).toContain(load_1)
      }
      const other = { name: 'a', type: 'tcp', target: 'a.example:1' }
      const { id } = (await stage.people.member.post('/v1/monitors', other)).body.data
      expect('host' in (await read(`/v1/monitors/${id}/metrics`))).toBe(false)
      expect('host' in (await read(`/v1/monitors/${id}`))).toBe(false)
    })

    test('is never given to a probe', async () => {
      const { probe, monitor_id, beat } = await provision()
      await beat()
      const { body } = await probe.get('/v1/probe/get-checks?limit=1000&horizon=3600')
      expect(body.data.map((check: { monitor_id: number }) => check.monitor_id)).not.toContain(monitor_id)
      expect(body.data.map((check: { type: string }) => check.type)).not.toContain('server')
    })

    test('is offline when the machine exceeds its limits', async () => {
      const { path, beat } = await provision()
      const { member } = stage.people
      await member.patch(path, { options: { max_disk_percent: 90, confirmations: 1 } })
      expect((await beat()).status).toBe('offline')
      const [check] = await read(`${path}/checks`)
      expect(check).toMatchObject({
        status: 'offline',
        error_kind: 'assertion_failed',
        error_message: 'The root file system is 95 % in use; max_disk_percent is 90.',
      })
      const { data } = (await member.get('/v1/incidents?status=investigating')).body
      expect(data.map((incident: { title: string }) => incident.title)).toContainEqual(expect.stringContaining('fra-1'))
      await member.patch(path, { options: { max_disk_percent: 96 } })
      expect((await read(path)).status).toBe('offline')
    })

    test('is shown on pages like any other', async () => {
      const { monitor_id, beat } = await provision()
      await beat()
      const { owner } = stage.people
      const { body } = await owner.post('/v1/status-pages', { slug: `servers-${monitor_id}`, title: 'Servers' })
      await owner.post(`/v1/status-pages/${body.data.id}/monitors`, { monitor_id, display_name: 'Frankfurt' })
      const page = await ask(stage.world.url, 'GET', `/api/status/servers-${monitor_id}`)
      expect(JSON.stringify(page.body)).toContain('Frankfurt')
      expect(page.body.overall_status ?? page.body.status ?? 'operational').toBe('operational')
    })
  })

  describe('writing it', () => {
    test('it is not created by hand', async () => {
      const body = { name: 'x', type: 'server', target: 'x' }
      const answer = await stage.people.owner.post('/v1/monitors', body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['type']])
    })

    test('what was read can be sent back, changed where it may be', async () => {
      const { path, beat } = await provision()
      await beat()
      const { member } = stage.people
      const before = await read(path, member)
      const answer = await member.put(path, { ...before, name: 'Frankfurt', interval: 60 })
      expect([answer.status, answer.body.data.name, answer.body.data.interval]).toEqual([200, 'Frankfurt', 60])
      expect((await member.put(path, { name: 'a', type: 'server', target: 'fra-1' })).body.data).toMatchObject({
        interval: 30,
        timeout: 10,
        status: 'online',
      })
      expect((await member.patch(path, { interval: 10 })).body.data).toMatchObject({ interval: 10, timeout: 9 })
    })

    test.each([
      [{ target: 'other' }, 'target'],
      [{ method: 'post' }, 'method'],
      [{ ssl_verify: false }, 'ssl_verify'],
      [{ timeout: 3 }, 'timeout'],
      [{ type: 'ping' }, 'type'],
      [{ interval: 9 }, 'interval'],
      [{ options: { keyword: 'x' } }, 'options.keyword'],
      [{ options: { max_cpu_percent: 101 } }, 'options.max_cpu_percent'],
    ])('%j is refused by name', async (body, field) => {
      const { path } = await provision()
      const answer = await stage.people.owner.patch(path, body)
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
    })

    test('no other monitor becomes one', async () => {
      const { member } = stage.people
      const body = { name: 'a', type: 'tcp', target: 'a.example:1' }
      const { id } = (await member.post('/v1/monitors', body)).body.data
      const answer = await member.put(`/v1/monitors/${id}`, { ...body, type: 'server' })
      expect([answer.status, answer.body.errors]).toEqual([422, { type: 'cannot change; it is tcp' }])
    })

    test('paused it is not heard, resumed it is at once', async () => {
      const { path, beat } = await provision()
      const { member } = stage.people
      await beat()
      expect((await member.patch(path, { enabled: false })).body.data.status).toBe('paused')
      expect((await beat()).status).toBe('paused')
      expect((await read(`${path}/checks`)).length).toBe(1)
      expect((await member.patch(path, { enabled: true })).body.data.status).toBe('pending')
      expect((await beat()).status).toBe('online')
    })
  })

  describe('its end', () => {
    test('it goes with its probe, and its incident is resolved', async () => {
      const { id, path, probe, beat } = await provision()
      const { owner } = stage.people
      await owner.patch(path, { options: { max_disk_percent: 1, confirmations: 1 } })
      await beat()
      const { incident_id } = await read(`${path}/explain`)
      expect((await owner.delete(`/v1/probes/${id}`)).status).toBe(200)
      expect((await owner.get(path)).status).toBe(404)
      expect((await owner.get(`/v1/probes/${id}`)).status).toBe(404)
      expect((await probe.post('/v1/probe/heartbeat', {})).status).toBe(401)
      expect((await read(`/v1/incidents/${incident_id}`)).status).toBe('resolved')
    })

    test('deleted alone it stays away, and the probe works on', async () => {
      const { id, path, beat } = await provision()
      expect((await stage.people.member.delete(path)).status).toBe(200)
      expect(await beat()).toMatchObject({ monitor_id: null, status: null })
      expect(await read(`/v1/probes/${id}`)).toMatchObject({ monitor_id: null, host: { hostname: 'fra-1' } })
    })
  })

  describe('who may', () => {
    test('the team reads, members change, strangers and nobody see nothing', async () => {
      const { id, path } = await provision()
      const { viewer, member, stranger } = stage.people
      expect((await viewer.patch(path, { name: 'x' })).status).toBe(403)
      expect((await member.patch(path, { name: 'x' })).status).toBe(200)
      for (const target of [path, `${path}/metrics`, `/v1/probes/${id}`]) {
        expect((await viewer.get(target)).status).toBe(200)
        expect((await stranger.get(target)).status).toBe(404)
        expect((await ask(stage.world.url, 'GET', target)).status).toBe(401)
      }
      expect((await stranger.patch(path, { name: 'x' })).status).toBe(404)
      expect((await stranger.get('/v1/monitors?type=server')).body.data).toEqual([])
    })

    test('heartbeats are for probe tokens', async () => {
      expect((await stage.people.owner.post('/v1/probe/heartbeat', {})).status).toBe(401)
      expect((await ask(stage.world.url, 'POST', '/v1/probe/heartbeat', {})).status).toBe(401)
    })
  })

  test('a probe is shown with its machine and its work; a heartbeat may say nothing', async () => {
    const { id, monitor_id, beat } = await provision('ams-1')
    expect(await read(`/v1/probes/${id}`)).toMatchObject({ monitor_id, host: null, work: null, started_at: null })
    await beat({ host, work, started_at: '2026-11-21T09:00:00.000Z' })
    const { data } = (await stage.people.viewer.get('/v1/probes?name=ams-1')).body
    expect(data).toMatchObject([{ id, started_at: '2026-11-21T09:00:00.000Z', host: { memory_percent: 25 }, work }])
    expect((await beat({})).status).toBe('online')
    expect(await read(`/v1/probes/${id}`)).toMatchObject({ host: { cpu_percent: null }, work: { monitors: null } })
  })

  test.each([
    [{ host: { cpu_percent: 101 } }, 'host.cpu_percent'],
    [{ host: { hostname: 'x'.repeat(256) } }, 'host.hostname'],
    [{ work: { missed: -1 } }, 'work.missed'],
    [{ started_at: 'yesterday' }, 'started_at'],
  ])('a heartbeat with %j is 422 and named', async (body, field) => {
    const { probe } = await provision()
    const answer = await probe.post('/v1/probe/heartbeat', body)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  })

  test('over quota there is neither probe nor monitor', async () => {
    const { world, people } = stage
    const args = ['plan', 'set', ...world.storage, '--team', 'Others', '--plan', 'free']
    expect((await runProgram('watchpost-server', args, world.env)).code).toBe(0)
    await provision('only', people.stranger)
    const answer = await people.stranger.post('/v1/probes', { name: 'second' })
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('pro includes 5 probes')])
    expect((await people.stranger.get('/v1/monitors')).body.meta.total).toBe(1)
  })
})
