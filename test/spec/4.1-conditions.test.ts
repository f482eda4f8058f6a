import { beforeAll, describe, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'

onEachEngine(stage => {
  let path: string
  const site = { name: 'Shop', type: 'https', target: 'https://shop.example/' }
  const read = (headers: Record<string, string> = {}) => stage.people.viewer.ask('GET', path, undefined, headers)
  const tag = async () => (await read()).headers.get('etag') as string

  beforeAll(async () => {
    path = `/v1/monitors/${(await stage.people.owner.post('/v1/monitors', site)).body.data.id}`
  })

  describe('reads', () => {
    test('carry a tag, and what the client holds already is 304 without a body', async () => {
      const { status, body, headers } = await read({ 'if-none-match': await tag() })
      expect([status, body]).toEqual([304, ''])
      expect(headers.get('etag')).toBe(await tag())
      expect((await read({ 'if-none-match': '"another"' })).status).toBe(200)
    })

    test('of a list too, until something in it changes', async () => {
      const list = '/v1/monitors?per_page=1'
      const held = { 'if-none-match': (await stage.people.viewer.get(list)).headers.get('etag') as string }
      expect((await stage.people.viewer.ask('GET', list, undefined, held)).status).toBe(304)
      await stage.people.owner.patch(path, { name: 'Shop, renamed' })
      expect((await stage.people.viewer.ask('GET', list, undefined, held)).status).toBe(200)
    })

    test('HEAD answers what GET does, without the body', async () => {
      const { status, body, headers } = await stage.people.viewer.ask('HEAD', path)
      expect([status, body, headers.get('etag')]).toEqual([200, '', await tag()])
    })

    test('404 before 304: a stranger learns nothing from a tag', async () => {
      const stranger = await stage.people.stranger.ask('GET', path, undefined, { 'if-none-match': '*' })
      expect(stranger.status).toBe(404)
    })
  })

  describe('writes', () => {
    test.each(['PUT', 'PATCH', 'DELETE'])('%s on what has changed since is 412 and changes nothing', async method => {
      const old = await tag()
      await stage.people.owner.patch(path, { interval: 60 + Math.ceil(Math.random() * 1000) })
      const { body: before } = await read()
      const answer = await stage.people.member.ask(method, path, method === 'DELETE' ? undefined : site, {
        'if-match': old,
      })
      expect([answer.status, answer.body.code]).toEqual([412, 'precondition_failed'])
      expect((await read()).body).toEqual(before)
    })

    test('on what is as it was read go through, once', async () => {
      const held = { 'if-match': await tag() }
      expect((await stage.people.member.ask('PATCH', path, { name: 'First' }, held)).status).toBe(200)
      expect((await stage.people.member.ask('PATCH', path, { name: 'Second' }, held)).status).toBe(412)
      expect((await read()).body.data.name).toBe('First')
      expect((await stage.people.member.ask('PATCH', path, { name: 'Third' }, { 'if-match': '*' })).status).toBe(200)
    })

    test('of two at once with the same tag, one goes through', async () => {
      const held = { 'if-match': await tag() }
      const names = Array.from({ length: 8 }, (_, index) => `racer ${index}`)
      const answers = await Promise.all(names.map(name => stage.people.member.ask('PATCH', path, { name }, held)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)])
    })

    test('a check result in between is no conflict: it changes no setting', async () => {
      const held = { 'if-match': await tag() }
      const { body: made } = await stage.people.owner.post('/v1/probes', { name: 'p' })
      const probe = { authorization: `Bearer ${made.data.token}` }
      await stage.people.owner.ask('GET', '/v1/probe/get-checks', undefined, probe)
      const result = { monitor_id: Number(path.split('/').at(-1)), status: 'online', response_time_ms: 12 }
      expect((await stage.people.owner.ask('POST', '/v1/probe/check-result', result, probe)).status).toBe(200)
      expect((await stage.people.member.ask('PATCH', path, { name: 'Still' }, held)).status).toBe(200)
    })

    test('role and validation come first', async () => {
      const old = { 'if-match': '"0.old"' }
      expect((await stage.people.viewer.ask('PATCH', path, { name: 'x' }, old)).status).toBe(403)
      expect((await stage.people.member.ask('PATCH', path, { name: '' }, old)).status).toBe(422)
      expect((await stage.people.stranger.ask('PATCH', path, { name: 'x' }, old)).status).toBe(404)
    })

    test('status pages and incidents are held to theirs, and what has no version to its bytes', async () => {
      const { owner } = stage.people
      const page = (await owner.post('/v1/status-pages', { slug: 'held', title: 'Held' })).body.data
      const incident = (await owner.post('/v1/incidents', { title: 'Held' })).body.data
      for (const [there, body] of [
        [`/v1/status-pages/${page.id}`, { title: 'Changed' }],
        [`/v1/incidents/${incident.id}`, { title: 'Changed' }],
      ] as const) {
        const held = { 'if-match': (await owner.get(there)).headers.get('etag') as string }
        expect((await owner.ask('PATCH', there, body, held)).status).toBe(200)
        expect((await owner.ask('PATCH', there, body, held)).status).toBe(412)
        expect((await owner.ask('DELETE', there, undefined, { 'if-match': '"x"' })).status).toBe(412)
        expect((await owner.ask('DELETE', there, undefined, { 'if-match': '*' })).status).toBe(200)
      }
    })
  })
})
