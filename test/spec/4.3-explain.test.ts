import { expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { Person } from '../people.ts'

onEachEngine(stage => {
  test('a monitor explains its status, to its own team', async () => {
    const { owner, viewer, stranger } = stage.people
    const site = { name: 'Shop', type: 'tcp', target: 'shop.example:443', options: { confirmations: 2 } }
    const { id } = (await owner.post('/v1/monitors', site)).body.data
    const path = `/v1/monitors/${id}/explain`
    const probe = new Person(stage.world, (await owner.post('/v1/probes', { name: 'p' })).body.data.token)
    await probe.get('/v1/probe/get-checks')
    expect((await viewer.get(path)).body.data).toMatchObject({
      status: 'pending',
      reasons: ['Nobody has looked at it yet as it is now.'],
      last_check: null,
    })
    const failure = { monitor_id: id, status: 'offline', response_time_ms: null, error_kind: 'connect_refused' }
    await probe.post('/v1/probe/check-result', failure)
    expect((await viewer.get(path)).body.data).toMatchObject({
      status: 'pending',
      reasons: ['1 check failed; 2 are needed for a verdict.', 'The latest check failed: connect_refused.'],
    })
    await probe.post('/v1/probe/check-result', failure)
    const { data } = (await viewer.get(path)).body
    expect(data).toMatchObject({ status: 'offline', failures: 2, confirmations: 2, in_maintenance: false })
    expect(data.reasons[0]).toBe('2 checks in a row failed, and 2 make it offline; one success makes it online.')
    expect(data.last_check).toMatchObject({ probe: 'p', error_kind: 'connect_refused' })
    expect((await viewer.get(`/v1/incidents/${data.incident_id}`)).body.data.started_at).toBe(data.offline_since)
    expect(Date.parse(data.next_check_at)).toBeGreaterThan(Date.now())
    expect((await stranger.get(path)).status).toBe(404)
  })

  test('each change of status with what it was decided on, and how to look again', async () => {
    const { owner, viewer } = stage.people
    const target = 'https://shop.example/?token=s3cret'
    const site = { name: 'Shop', type: 'https', target, options: { headers: { 'X-Key': 's3cret' } } }
    const { id } = (await owner.post('/v1/monitors', site)).body.data
    const probe = new Person(stage.world, (await owner.post('/v1/probes', { name: 'seer' })).body.data.token)
    await probe.get('/v1/probe/get-checks')
    const says = (result: object) => probe.post('/v1/probe/check-result', { monitor_id: id, ...result })
    await says({ status: 'online', response_time_ms: 5, timings: { connect_ms: 2 }, details: { status_code: 200 } })
    await says({ status: 'online', response_time_ms: 6 })
    const seen = { error_kind: 'keyword_missing', error_message: 'It said "sorry".', details: { status_code: 503 } }
    await says({ status: 'offline', response_time_ms: 7, timings: { first_byte_ms: 3 }, ...seen })
    await says({ status: 'offline', response_time_ms: 8, ...seen })
    const { data } = (await viewer.get(`/v1/monitors/${id}/explain`)).body
    expect(data).toMatchObject({ watched: true, quorum: null, votes: [] })
    const list = async (watched: boolean) =>
      (await viewer.get(`/v1/monitors?watched=${watched}`)).body.data.map((each: { id: number }) => each.id)
    expect((await viewer.get(`/v1/monitors/${data.monitor_id}`)).body.data.watched).toBe(true)
    expect([await list(true), await list(false)]).toEqual([
      expect.arrayContaining([data.monitor_id]),
      expect.not.arrayContaining([data.monitor_id]),
    ])
    expect(data.repeat).toBe(
      "curl -sS -i --max-time 10 -L --max-redirs 5 -H 'X-Key: ***' 'https://shop.example/?token=***'",
    )
    const [down, up] = data.changes
    expect(down).toMatchObject({ old_status: 'online', new_status: 'offline', votes: [] })
    expect(down.attempts).toMatchObject([
      { probe: 'seer', response_time_ms: 7, timings: { first_byte_ms: 3 }, ...seen },
      { probe: 'seer', response_time_ms: 8, ...seen },
    ])
    expect(down.at).toBe(down.attempts[1].checked_at)
    expect(up).toMatchObject({ old_status: 'pending', new_status: 'online' })
    expect(up.attempts).toMatchObject([
      { response_time_ms: 5, timings: { connect_ms: 2 }, details: { status_code: 200 } },
    ])
    await owner.patch(`/v1/monitors/${id}`, { enabled: false })
    expect((await viewer.get(`/v1/monitors/${id}/explain`)).body.data).toMatchObject({
      watched: false,
      status: 'paused',
    })
  })

  test('the votes of its regions, now and then', async () => {
    const { owner, viewer } = stage.people
    const options = { regions: ['north', 'south'], quorum: 'all', confirmations: 1 }
    const site = { name: 'Shop', type: 'tcp', target: 'shop.example:1', options }
    const { id } = (await owner.post('/v1/monitors', site)).body.data
    const probes = await Promise.all(
      options.regions.map(async region => {
        const { body } = await owner.post('/v1/probes', { name: `probe ${region}`, region })
        return new Person(stage.world, body.data.token)
      }),
    )
    for (const probe of probes) {
      await probe.get('/v1/probe/get-checks')
      await probe.post('/v1/probe/check-result', { monitor_id: id, status: 'offline', response_time_ms: null })
    }
    await probes[0]?.post('/v1/probe/check-result', { monitor_id: id, status: 'online', response_time_ms: 5 })
    const { data } = (await viewer.get(`/v1/monitors/${id}/explain`)).body
    expect(data.reasons).toEqual([
      '1 of 2 regions that look see it down (south); all of those are needed to call it offline.',
      'It is up as seen from north.',
    ])
    expect(data.votes).toMatchObject([
      { region: 'north', vote: 'up', failures: 0, probe: 'probe north' },
      { region: 'south', vote: 'down', failures: 1, probe: 'probe south' },
    ])
    const [up, down] = data.changes
    expect([up.new_status, down.new_status]).toEqual(['online', 'offline'])
    expect(down.votes).toMatchObject([{ vote: 'down' }, { vote: 'down' }])
    expect(down.attempts.map((each: { region: string }) => each.region)).toEqual(options.regions)
    expect(Date.parse(data.next_check_at)).toBeGreaterThan(Date.now())
  })
})
