import { newPlace } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { castOf, type Person } from '../people.ts'
import { eventually, World } from '../world.ts'

test.each(['sqlite', 'postgres'] as const)(
  'the probe beside the server is listed for every team, told of to its operators, and nobody removes it, on %s',
  async engine => {
    const place = await newPlace(engine)
    const world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    try {
      const listen = ['--listen', '127.0.0.1:0', '--otlp-listen', 'off']
      const server = world.start('watchpost-server', ['serve', '--with-probe', ...world.storage, ...listen])
      world.url = (await server.event<{ url: string }>('listening')).url
      const { owner, viewer, stranger } = await castOf(world)
      const only = async (by: Person) => {
        const { body } = await by.get('/v1/probes?shared=true')
        expect(body.meta.total).toBe(body.data.length)
        return body.data[0]
      }

      const seen = await eventually('it is heard', async () => {
        const probe = await only(viewer)
        return probe?.work !== null && probe
      })
      expect(seen).toMatchObject({ shared: true, region: 'default', monitor_id: expect.any(Number) })
      expect(seen.host.hostname).toBe(seen.name)
      const path = `/v1/probes/${seen.id}`
      expect((await viewer.get(path)).body.data).toMatchObject({ id: seen.id, shared: true })

      // Its machine is not theirs, nor is its monitor.
      const nothing = { id: seen.id, shared: true, monitor_id: null, host: null, work: null }
      expect(await only(stranger)).toMatchObject(nothing)
      expect((await stranger.get(path)).body.data).toMatchObject(nothing)

      for (const by of [owner, stranger]) {
        const { status, body } = await by.delete(path)
        expect([status, body.code, body.message]).toEqual([403, 'forbidden', expect.stringContaining('--with-probe')])
      }
      const own = (await owner.post('/v1/probes', { name: 'own' })).body.data
      expect(own.shared).toBe(false)
      const ids = async (by: Person, query = '') =>
        (await by.get(`/v1/probes${query}`)).body.data.map(({ id }: { id: number }) => id)
      expect([await ids(owner), await ids(owner, '?shared=false'), await ids(stranger)]).toEqual([
        [seen.id, own.id],
        [own.id],
        [seen.id],
      ])
    } finally {
      await world.close()
      await place.remove()
    }
  },
)
