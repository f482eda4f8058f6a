import { describe, expect, test } from 'vitest'
import { onEachEngine, type Stage } from '../engines.ts'
import { Person } from '../people.ts'
import { eventually } from '../world.ts'

const ahead = '?limit=1000&horizon=60'

interface Due {
  monitor_id: number
  interval: number
}

/** Each with a team's worth of probes of their own: what is due is shared by those that were heard from lately. */
async function probesOf(stage: Stage, region: string, count: number): Promise<Person[]> {
  const { owner } = stage.people
  const made = Array.from({ length: count }, (_, index) =>
    owner.post('/v1/probes', { name: `${region}-${index}`, region }),
  )
  return (await Promise.all(made)).map(({ body }) => new Person(stage.world, body.data.token))
}

async function poll(probe: Person, query = ahead): Promise<{ due: Due[]; lost: number[] }> {
  const { status, body } = await probe.get(`/v1/probe/get-checks${query}`)
  expect(status).toBe(200)
  return { due: body.data, lost: body.meta.lost ?? [] }
}

const idsOf = ({ due }: { due: Due[] }) => due.map(each => each.monitor_id).sort((a, b) => a - b)

onEachEngine(stage => {
  /** Monitors of a region of their own, so that no other test has a part in them. */
  const monitors = async (region: string, count: number, more: object = {}): Promise<number[]> => {
    const body = {
      name: 'm',
      type: 'tcp',
      target: 'a.example:1',
      interval: 60,
      options: { regions: [region] },
      ...more,
    }
    const made = Array.from({ length: count }, () => stage.people.owner.post('/v1/monitors', body))
    return (await Promise.all(made)).map(answer => answer.body.data.id as number).sort((a, b) => a - b)
  }

  test('two probes that ask ahead share what is due, and none of it is given twice', async () => {
    const [one, two] = (await probesOf(stage, 'shared', 2)) as [Person, Person]
    await Promise.all([poll(one), poll(two)])
    const ids = await monitors('shared', 20)
    const [a, b] = await Promise.all([poll(one), poll(two)])
    expect([idsOf(a).length, idsOf(b).length]).toEqual([10, 10])
    expect([...idsOf(a), ...idsOf(b)].sort((x, y) => x - y)).toEqual(ids)
  })

  test('however many ask at once, each run is one probe’s', async () => {
    const probes = await probesOf(stage, 'crowded', 5)
    const ids = await monitors('crowded', 30)
    const given = await Promise.all([...probes, ...probes].map(probe => poll(probe, '?limit=7')))
    for (const each of given) expect(each.due.length).toBeLessThanOrEqual(7)
    expect(given.flatMap(idsOf).sort((x, y) => x - y)).toEqual(ids)
  })

  test('what a probe does not take of its share is given to another soon', async () => {
    const [one, two] = (await probesOf(stage, 'slow', 2)) as [Person, Person]
    await Promise.all([poll(one), poll(two)])
    const ids = await monitors('slow', 4)
    const given = new Set<number>()
    await eventually('the rest is given', async () => {
      for (const id of idsOf(await poll(one))) given.add(id)
      return given.size === ids.length
    })
  })

  describe('a probe that holds a monitor is told', () => {
    const held = async (region: string) => {
      const [probe] = (await probesOf(stage, region, 1)) as [Person]
      const [id = 0] = await monitors(region, 1)
      expect(idsOf(await poll(probe))).toEqual([id])
      expect((await poll(probe)).lost).toEqual([])
      return { probe, id, path: `/v1/monitors/${id}` }
    }

    test('that it is paused', async () => {
      const { probe, id, path } = await held('paused')
      await stage.people.owner.patch(path, { enabled: false })
      expect(await poll(probe)).toEqual({ due: [], lost: [id] })
    })

    test('that it is deleted', async () => {
      const { probe, id, path } = await held('deleted')
      await stage.people.owner.delete(path)
      expect(await poll(probe)).toEqual({ due: [], lost: [id] })
    })

    test('that it is watched from elsewhere now', async () => {
      const { probe, id, path } = await held('left')
      await stage.people.owner.patch(path, { options: { regions: ['nowhere'] } })
      expect(await poll(probe)).toEqual({ due: [], lost: [id] })
    })

    test('what it has become, at once', async () => {
      const { probe, id, path } = await held('changed')
      await stage.people.owner.patch(path, { interval: 90 })
      expect(await poll(probe)).toMatchObject({ due: [{ monitor_id: id, interval: 90 }], lost: [] })
    })

    test('nothing, where only its name has changed', async () => {
      const { probe, path } = await held('renamed')
      await stage.people.owner.patch(path, { name: 'other' })
      expect(await poll(probe)).toEqual({ due: [], lost: [] })
    })
  })

  test('a failure is looked at again by another probe of the region', async () => {
    const [one, two] = (await probesOf(stage, 'twice', 2)) as [Person, Person]
    await poll(two)
    const options = { regions: ['twice'], retry_interval: 10 }
    const [id = 0] = await monitors('twice', 1, { options, interval: 600 })
    await eventually('it is leased', async () => idsOf(await poll(one)).length === 1)
    // The other is heard from, too.
    await poll(two)
    const failed = { monitor_id: id, status: 'offline', response_time_ms: null }
    const { body } = await one.post('/v1/probe/check-result', failed)
    expect(body.data).toEqual({ monitor_id: id, status: 'pending', next_due_at: null })
    expect(idsOf(await poll(one))).toEqual([])
    expect(idsOf(await poll(two))).toEqual([id])
    expect((await two.post('/v1/probe/check-result', failed)).body.data.status).toBe('offline')
    const { data } = (await stage.people.viewer.get(`/v1/monitors/${id}/explain`)).body
    expect(data.changes[0].attempts.map((each: { probe: string }) => each.probe)).toEqual(['twice-0', 'twice-1'])
  })
})
