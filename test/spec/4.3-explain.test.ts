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
})
