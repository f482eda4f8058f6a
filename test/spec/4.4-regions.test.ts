import { describe, expect, test } from 'vitest'
import { onEachEngine, type Stage } from '../engines.ts'
import { Person } from '../people.ts'

/** A probe of a region, and what it does. */
class Probe extends Person {
  static async in(stage: Stage, region: string): Promise<Probe> {
    const { status, body } = await stage.people.owner.post('/v1/probes', { name: `in ${region}`, region })
    expect([status, body.data.region]).toEqual([201, region])
    return new Probe(stage.world, body.data.token)
  }

  async fetch(id: number, query = '?limit=1000') {
    const { body } = await this.get(`/v1/probe/get-checks${query}`)
    return body.data.filter((check: { monitor_id: number }) => check.monitor_id === id) as { run_id: string }[]
  }

  async says(id: number, status: string): Promise<{ status: string; next_due_at: string | null }> {
    const { body } = await this.post('/v1/probe/check-result', { monitor_id: id, status, response_time_ms: 5 })
    return body.data
  }
}

let names = 0

onEachEngine(stage => {
  const monitor = async (options: object, more: object = {}) => {
    const body = { name: 'Shop', type: 'tcp', target: 'a.example:1', interval: 600, timeout: 5, options, ...more }
    const answer = await stage.people.owner.post('/v1/monitors', body)
    expect(answer.status).toBe(201)
    return answer.body.data.id as number
  }
  const statusOf = async (id: number) => (await stage.people.owner.get(`/v1/monitors/${id}`)).body.data.status

  /** A monitor of some regions of its own, each with a probe that was given it. */
  const watched = async (count: number, options: object) => {
    const regions = Array.from({ length: count }, () => `region-${++names}`)
    const id = await monitor({ regions, ...options })
    const probes = await Promise.all(regions.map(region => Probe.in(stage, region)))
    for (const probe of probes) expect(await probe.fetch(id)).toHaveLength(1)
    return { id, probes, regions }
  }

  describe('who is given it', () => {
    test('each region once, and nobody elsewhere', async () => {
      const elsewhere = await Probe.in(stage, 'elsewhere')
      const id = await monitor({ regions: ['here', 'there'] })
      const [here, here2, there] = [
        await Probe.in(stage, 'here'),
        await Probe.in(stage, 'here'),
        await Probe.in(stage, 'there'),
      ]
      expect(await elsewhere.fetch(id)).toEqual([])
      const [a, b] = [await here.fetch(id), await there.fetch(id)]
      expect([a.length, b.length]).toEqual([1, 1])
      expect(a[0]?.run_id).not.toBe(b[0]?.run_id)
      expect(await here2.fetch(id)).toEqual([])
      expect(await here.fetch(id)).toEqual([])
      expect((await elsewhere.post('/v1/probe/check-result', { monitor_id: id, status: 'online' })).status).toBe(403)
    })

    test('another team has no part in it, whatever its probes call their region', async () => {
      const { body } = await stage.people.stranger.post('/v1/probes', { name: 'x', region: 'shared-name' })
      const id = await monitor({ regions: ['shared-name'] })
      expect(await new Probe(stage.world, body.data.token).fetch(id)).toEqual([])
    })

    test('regions that are added are due at once, those taken away stop, the others go on', async () => {
      const { id, probes, regions } = await watched(2, {})
      const [one, two] = probes as [Probe, Probe]
      const third = await Probe.in(stage, 'third')
      await one.says(id, 'online')
      await two.says(id, 'online')
      await stage.people.owner.patch(`/v1/monitors/${id}`, { options: { regions: [regions[0], 'third'] } })
      expect(await third.fetch(id)).toHaveLength(1)
      expect(await two.fetch(id)).toEqual([])
      expect((await two.says(id, 'offline')).next_due_at).toBeNull()
      expect(await one.fetch(id)).toHaveLength(1)
      expect(await statusOf(id)).toBe('online')
    })

    test('a monitor gets regions, and loses them again', async () => {
      const anywhere = await Probe.in(stage, 'wherever')
      const id = await monitor({})
      await anywhere.fetch(id)
      await stage.people.owner.put(`/v1/monitors/${id}`, {
        name: 'Shop',
        type: 'tcp',
        target: 'a.example:1',
        options: { regions: ['fourth'] },
      })
      expect(await anywhere.fetch(id)).toEqual([])
      expect(await (await Probe.in(stage, 'fourth')).fetch(id)).toHaveLength(1)
      await stage.people.owner.patch(`/v1/monitors/${id}`, { options: {} })
      expect(await anywhere.fetch(id)).toHaveLength(1)
    })

    test('paused, it is nobody’s; resumed, it is due in every region; deleted, it is gone', async () => {
      const { id, probes } = await watched(2, {})
      const [one, two] = probes as [Probe, Probe]
      await stage.people.owner.patch(`/v1/monitors/${id}`, { enabled: false })
      expect([await one.fetch(id), await two.fetch(id), await statusOf(id)]).toEqual([[], [], 'paused'])
      expect((await one.says(id, 'online')).next_due_at).toBeNull()
      await stage.people.owner.patch(`/v1/monitors/${id}`, { enabled: true })
      expect([(await one.fetch(id)).length, (await two.fetch(id)).length]).toEqual([1, 1])
      await stage.people.owner.delete(`/v1/monitors/${id}`)
      expect((await one.post('/v1/probe/check-result', { monitor_id: id, status: 'online' })).status).toBe(404)
    })
  })

  describe('what they decide', () => {
    test('any: one region that has confirmed it is enough', async () => {
      const { id, probes } = await watched(3, {})
      const [one, two] = probes as [Probe, Probe]
      for (const probe of probes) await probe.says(id, 'online')
      await one.says(id, 'offline')
      expect((await two.says(id, 'offline')).status).toBe('online')
      expect((await one.says(id, 'offline')).status).toBe('offline')
      await two.says(id, 'online')
      expect(await statusOf(id)).toBe('offline')
      expect((await one.says(id, 'online')).status).toBe('online')
    })

    test.each([
      ['majority', 2],
      ['all', 3],
      [2, 2],
      [3, 3],
    ])('%s of three: %i regions', async (quorum, needed) => {
      const { id, probes } = await watched(3, { quorum, confirmations: 1 })
      for (const probe of probes) await probe.says(id, 'online')
      for (const [index, probe] of probes.entries()) {
        expect((await probe.says(id, 'offline')).status).toBe(index + 1 >= needed ? 'offline' : 'online')
      }
      const { data } = (await stage.people.viewer.get(`/v1/monitors/${id}/explain`)).body
      expect(data.incident_id).not.toBeNull()
    })

    test('the history has the checks of all regions, each to be found by its own', async () => {
      const { id, probes, regions } = await watched(2, {})
      for (const probe of probes) await probe.says(id, 'online')
      await probes[1]?.says(id, 'offline')
      const all = await stage.people.viewer.get(`/v1/monitors/${id}/checks`)
      expect(all.body.meta.total).toBe(3)
      const second = await stage.people.viewer.get(`/v1/monitors/${id}/checks?region=${regions[1]}`)
      expect(second.body.data.map((check: { status: string }) => check.status)).toEqual(['offline', 'online'])
      const { data } = (await stage.people.viewer.get(`/v1/monitors/${id}`)).body
      expect([data.status, Math.round(data.uptime_24h)]).toEqual(['online', 67])
    })
  })

  test.each<[string, object, string]>([
    ['no regions', { regions: [] }, 'options.regions'],
    ['one twice', { regions: ['a', 'a'] }, 'options.regions'],
    ['too many', { regions: Array.from({ length: 21 }, (_, index) => `r${index}`) }, 'options.regions'],
    ['no name', { regions: [''] }, 'options.regions'],
    ['a name too long', { regions: ['x'.repeat(65)] }, 'options.regions'],
    ['text', { regions: 'a' }, 'options.regions'],
    ['a quorum nobody knows', { regions: ['a'], quorum: 'most' }, 'options.quorum'],
    ['a quorum of none', { regions: ['a'], quorum: 0 }, 'options.quorum'],
    ['more than there are', { regions: ['a', 'b'], quorum: 3 }, 'options.quorum'],
    ['more than one of any', { quorum: 2 }, 'options.quorum'],
  ])('%s is 422 and named', async (_, options, field) => {
    const body = { name: 'Shop', type: 'tcp', target: 'a.example:1', options }
    const answer = await stage.people.owner.post('/v1/monitors', body)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]])
  })
})
