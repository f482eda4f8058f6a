import { describe, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'

// Where anybody may make a team: what a team of strangers may do with the operator's mail server, and how much of it.
const env = {
  WATCHPOST_REGISTRATION: 'open',
  WATCHPOST_SMTP_URL: 'smtp://127.0.0.1:1',
  WATCHPOST_MAIL_FROM: 'alerts@example.com',
}

onEachEngine(stage => {
  const mail = (...to: string[]) => ({ name: 'mail', type: 'email', to })
  const own = 'stranger@example.com'
  const refusal = 'is no member of the team; where anybody may register, mail goes to members only'

  describe('mail of a team of strangers goes to its members only', () => {
    test('when a channel is made', async () => {
      const { stranger } = stage.people
      const { status, body } = await stranger.post('/v1/channels', mail(own, 'victim@example.com'))
      expect([status, body.errors]).toEqual([422, { 'to.1': refusal }])
      expect((await stranger.post('/v1/channels', mail('Stranger@Example.com'))).status).toBe(201)
      // A member of another team is nobody here.
      const foreign = await stranger.post('/v1/channels', mail(stage.world.credentials.email))
      expect([foreign.status, foreign.body.errors]).toEqual([422, { 'to.0': refusal }])
    })

    test('when it is changed; who was written to before may stay', async () => {
      const { stranger } = stage.people
      const friend = 'friend@example.com'
      const added = await stranger.post('/v1/team/members', { email: friend, password: 'ten letters' })
      expect(added.status, JSON.stringify(added.body)).toBe(201)
      const path = `/v1/channels/${(await stranger.post('/v1/channels', mail(own, friend))).body.data.id}`
      for (const answer of [
        await stranger.patch(path, { to: ['victim@example.com'] }),
        await stranger.put(path, mail('victim@example.com')),
      ]) {
        expect([answer.status, answer.body.errors]).toEqual([422, { 'to.0': refusal }])
      }
      await stranger.delete(`/v1/team/members/${added.body.data.id}`)
      expect((await stranger.put(path, { ...mail(own, friend), name: 'renamed' })).status).toBe(200)
      expect((await stranger.patch(path, { to: [own] })).status).toBe(200)
      expect((await stranger.patch(path, { to: [own, friend] })).status).toBe(422)
    })

    test('when files are planned or applied', async () => {
      const { stranger } = stage.people
      const resources = { channels: [{ ...mail(own, 'victim@example.com'), name: 'of files' }] }
      for (const path of ['/v1/plan', '/v1/apply']) {
        const { status, body } = await stranger.post(path, { resources })
        expect([status, body.errors], path).toEqual([422, { 'resources.channels.0.to.1': refusal }])
      }
      const fine = { resources: { channels: [{ ...mail(own), name: 'of files' }] } }
      expect((await stranger.post('/v1/apply', fine)).status).toBe(200)
      const changed = await stranger.post('/v1/apply', { resources })
      expect([changed.status, Object.keys(changed.body.errors)]).toEqual([422, ['resources.channels.0.to.1']])
    })

    test('and that of the operator’s team to anybody', async () => {
      const { owner } = stage.people
      const made = await owner.post('/v1/channels', mail('anybody@example.com'))
      expect(made.status).toBe(201)
      expect((await owner.delete(`/v1/channels/${made.body.data.id}`)).status).toBe(200)
    })
  })

  test('a team has a hundred channels, made singly or from files, at the same moment or one by one', async () => {
    const { owner } = stage.people
    const hook = (name: string) => ({ name, type: 'webhook', url: 'https://hooks.example/' })
    const channels = Array.from({ length: 99 }, (_, index) => hook(`Hook ${index}`))
    const apply = (...more: object[]) => owner.post('/v1/apply', { prune: true, resources: { channels: more } })
    const tooMany = await apply(...channels, hook('A'), hook('B'))
    expect([tooMany.status, tooMany.body.message]).toEqual([
      409,
      'A team has 100 channels at most; delete one that is not needed',
    ])
    expect((await owner.get('/v1/channels')).body.meta.total).toBe(0)
    expect((await apply(...channels)).status).toBe(200)
    const answers = await Promise.all(['C', 'D', 'E'].map(name => owner.post('/v1/channels', hook(name))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const over = answers.find(({ status }) => status === 409)
    expect(over?.body).toMatchObject({ code: 'conflict', message: expect.stringContaining('100 channels') })
    expect((await owner.get('/v1/channels')).body.meta.total).toBe(100)
    // What a file deletes makes room for what it makes.
    expect((await apply(...channels.slice(1), hook('F'))).body.data?.summary).toMatchObject({ create: 1, delete: 1 })
    // Another team has room of its own.
    expect((await stage.people.stranger.post('/v1/channels', hook('theirs'))).status).toBe(201)
  })
}, env)
