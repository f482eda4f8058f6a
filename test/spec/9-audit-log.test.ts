import { type AuditEntry, routes } from '@watchpost/contract'
import { describe, expect, test } from 'vitest'
import { isAudited } from '../../packages/server/src/http/audit.ts'
import { Browser } from '../browser.ts'
import { onEachEngine } from '../engines.ts'
import type { Person } from '../people.ts'
import { ask } from '../people.ts'

const password = 'correct horse battery'
const site = { name: 'Shop', type: 'https', target: 'https://shop.example/' }

test('every write of people and their programs is told of', () => {
  const people = ['user', 'session', 'login', 'registration', 'invitation']
  const writes = Object.entries(routes).filter(
    ([, { method, surface }]) => method !== 'GET' && people.includes(surface),
  )
  expect(writes.length).toBeGreaterThan(40)
  expect(writes.filter(([, route]) => !isAudited(route)).map(([name]) => name)).toEqual([])
  // Else their fields would be told of as none.
  const bodies = writes.filter(([, route]) => 'body' in route) as unknown as [
    string,
    { body: { properties?: object } },
  ][]
  expect(bodies.filter(([, { body }]) => body.properties === undefined).map(([name]) => name)).toEqual([])
})

onEachEngine(
  (stage, engine) => {
    const log = async (filter = '', who: Pick<Person, 'get'> = stage.people.owner): Promise<AuditEntry[]> => {
      const { status, body } = await who.get(`/v1/audit-log?per_page=100&${filter}`)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.data
    }
    const count = async () => (await stage.people.owner.get('/v1/audit-log?per_page=1')).body.meta.total as number
    /** Entries that came with it, newest first. */
    const toldOf = async (work: () => Promise<unknown>): Promise<AuditEntry[]> => {
      const before = await count()
      await work()
      return (await log()).slice(0, (await count()) - before)
    }
    const invited = async (role: string) => {
      const email = `${role}-${Math.random().toString(36).slice(2)}@example.com`
      await stage.people.owner.post('/v1/team/members', { email, role, password })
      const browser = new Browser(stage.world.url)
      expect((await browser.logIn(email, password)).status).toBe(201)
      return { email, browser }
    }

    describe('who may read it', () => {
      test('owners and admins; nobody else, and no other team', async () => {
        const { people, world } = stage
        await people.member.post('/v1/monitors', { ...site, name: 'Ours alone' })
        const admin = await invited('admin')
        expect((await log('', admin.browser)).length).toBeGreaterThan(0)
        for (const who of [people.member, people.viewer]) expect((await who.get('/v1/audit-log')).status).toBe(403)
        expect((await ask(world.url, 'GET', '/v1/audit-log')).status).toBe(401)
        const foreign = JSON.stringify(await log('', people.stranger))
        expect(foreign).not.toContain('Ours alone')
        expect((await people.owner.delete('/v1/audit-log')).status).toBe(405)
      })
    })

    describe('an entry', () => {
      test('of a token: who, what, from where and which fields; never what they held', async () => {
        const told = await toldOf(() =>
          stage.people.member.post('/v1/monitors', {
            ...site,
            options: { headers: { authorization: 'Bearer s3cret' } },
          }),
        )
        expect(told).toHaveLength(1)
        const monitors = (await stage.people.owner.get('/v1/monitors?name=Shop')).body.data
        expect(told[0]).toEqual({
          id: expect.any(Number),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          actor: 'token',
          actor_id: expect.any(Number),
          actor_name: 'member',
          user_id: expect.toSatisfy(id => id === null || Number.isInteger(id)),
          operation: 'createMonitor',
          kind: 'monitor',
          resource_id: monitors[0].id,
          resource_name: 'Shop',
          address: '127.0.0.1',
          fields: ['name', 'options', 'target', 'type'],
          counts: null,
        })
      })

      test('of somebody who is logged in names them; log-in, log-out and password too', async () => {
        const { email, browser } = await invited('member')
        const id = (await stage.people.owner.post('/v1/monitors', { ...site, name: 'Till' })).body.data.id
        const next = 'another long password'
        const told = await toldOf(async () => {
          await browser.patch(`/v1/monitors/${id}`, { name: 'Till 2', interval: 120 })
          await browser.put('/api/session/password', { current_password: password, new_password: next })
          await browser.delete('/api/session')
          await browser.logIn(email, next)
        })
        expect(told.map(({ operation }) => operation)).toEqual(['logIn', 'logOut', 'changePassword', 'updateMonitor'])
        for (const entry of told) expect(entry).toMatchObject({ actor: 'session', actor_name: email })
        const [logIn, , changed, updated] = told
        expect(logIn).toMatchObject({ kind: 'session', fields: ['email', 'password'], resource_id: null })
        expect(changed).toMatchObject({ kind: 'user', resource_id: changed?.user_id })
        // As it was called before.
        expect(updated).toMatchObject({ kind: 'monitor', resource_id: id, resource_name: 'Till' })
        expect(updated?.fields).toEqual(['interval', 'name'])
      })

      test('says the address that a trusted proxy tells of', async () => {
        const told = await toldOf(() =>
          stage.people.owner.ask('PATCH', '/v1/team', { name: 'Acme' }, { 'x-forwarded-for': '203.0.113.9' }),
        )
        expect(told).toMatchObject([
          { operation: 'updateTeam', kind: 'team', address: '203.0.113.9', fields: ['name'] },
        ])
      })

      test('of an invitation, and of whoever joins by it', async () => {
        const email = `guest-${engine}@example.com`
        const told = await toldOf(async () => {
          const { body } = await stage.people.owner.post('/v1/team/members', { email, role: 'viewer' })
          await new Browser(stage.world.url).post(`/api/invitations/${body.data.token}`, { password })
        })
        expect(told.map(({ operation, kind, resource_name }) => [operation, kind, resource_name])).toEqual([
          ['acceptInvitation', 'member', email],
          ['addMember', 'invitation', email],
        ])
        expect(told[0]).toMatchObject({ actor: 'session', actor_name: email, resource_id: told[0]?.user_id })
      })

      test('of a new team stands in it', async () => {
        const browser = new Browser(stage.world.url)
        const email = `founder-${engine}@example.com`
        expect((await browser.post('/api/registration', { email, password, team: 'Newcomers' })).status).toBe(201)
        expect(await log('', browser)).toMatchObject([
          { operation: 'register', kind: 'team', resource_name: 'Newcomers', actor_name: email },
        ])
      })

      test('of what else a team has says which it was', async () => {
        const { owner } = stage.people
        const made = async (path: string, body: object) => (await owner.post(path, body)).body.data
        const ids: Record<string, number> = {}
        const told = await toldOf(async () => {
          ids.channel = (
            await made('/v1/channels', { name: 'Hook', type: 'webhook', url: 'http://127.0.0.1:1/s3cret' })
          ).id
          await owner.post(`/v1/channels/${ids.channel}/rotate-secret`, undefined)
          ids.page = (await made('/v1/status-pages', { slug: `audit-${engine}`, title: 'Acme' })).id
          ids.incident = (await made('/v1/incidents', { title: 'Slow' })).id
          await owner.post(`/v1/incidents/${ids.incident}/updates`, { message: 's3cret' })
          ids.app = (await made('/api/observability/apps', { name: 'Front' })).id
          await owner.post(`/api/observability/apps/${ids.app}/rotate`, { key: 'app_token' })
          ids.probe = (await made('/v1/probes', { name: 'berlin', region: 'eu' })).id
          await owner.delete(`/v1/probes/${ids.probe}`)
        })
        expect(told.map(each => [each.operation, each.kind, each.resource_id, each.resource_name]).reverse()).toEqual([
          ['createChannel', 'channel', ids.channel, 'Hook'],
          ['rotateChannelSecret', 'channel', ids.channel, 'Hook'],
          ['createStatusPage', 'status_page', ids.page, 'Acme'],
          ['createIncident', 'incident', ids.incident, 'Slow'],
          ['addIncidentUpdate', 'incident', ids.incident, 'Slow'],
          ['createApp', 'app', ids.app, 'Front'],
          ['rotateAppKey', 'app', ids.app, 'Front'],
          ['createProbe', 'probe', ids.probe, 'berlin'],
          ['deleteProbe', 'probe', ids.probe, 'berlin'],
        ])
      })

      test('is one for an apply, with counts', async () => {
        const files = { resources: { monitors: ['a', 'b'].map(name => ({ ...site, name: `${name} ${engine}` })) } }
        const told = await toldOf(async () => {
          await stage.people.owner.post('/v1/plan', files)
          await stage.people.owner.post('/v1/apply', { ...files, dry_run: true })
          await stage.people.owner.post('/v1/apply', files)
          // It changes nothing any more.
          await stage.people.owner.post('/v1/apply', files)
        })
        expect(told).toMatchObject([
          { operation: 'applyResources', kind: 'resources', resource_id: null, fields: ['resources'] },
        ])
        expect(told[0]?.counts).toMatchObject({ create: 2, update: 0, delete: 0 })
      })
    })

    describe('no entry', () => {
      test('of what was refused, whatever the reason', async () => {
        const { owner, viewer, member, stranger } = stage.people
        const id = (await owner.post('/v1/monitors', { ...site, name: 'Kept' })).body.data.id
        const page = (await owner.post('/v1/status-pages', { slug: `kept-${engine}`, title: 'Kept' })).body.data.id
        const statuses: number[] = []
        const told = await toldOf(async () => {
          const answers = [
            await viewer.patch(`/v1/monitors/${id}`, { name: 'x' }),
            await stranger.patch(`/v1/monitors/${id}`, { name: 'x' }),
            await member.patch(`/v1/monitors/${id}`, { interval: 'often' }),
            await member.post('/v1/monitors', { name: 'x' }),
            await owner.post('/v1/status-pages', { slug: `kept-${engine}`, title: 'Twice' }),
            await owner.post(`/v1/status-pages/${page}/monitors`, { monitor_id: 999_999 }),
            await member.ask('PATCH', `/v1/monitors/${id}`, { name: 'x' }, { 'if-match': '"0.old"' }),
            await new Browser(stage.world.url).logIn(`nobody-${engine}@example.com`, password),
          ]
          statuses.push(...answers.map(({ status }) => status))
        })
        expect(statuses).toEqual([403, 404, 422, 422, 422, 422, 412, 401])
        expect(told).toEqual([])
      })

      test('a second time of what is sent again under its key, even at once', async () => {
        const send = () =>
          stage.people.member.ask('POST', '/v1/monitors', { ...site, name: 'Once' }, { 'idempotency-key': 'audited' })
        const told = await toldOf(async () => {
          await Promise.all(Array.from({ length: 6 }, send))
          expect((await send()).headers.get('idempotency-replayed')).toBe('true')
        })
        expect(told.map(({ operation }) => operation)).toEqual(['createMonitor'])
      })

      test('less where many write at once', async () => {
        const told = await toldOf(() =>
          Promise.all(
            Array.from({ length: 12 }, (_, at) =>
              stage.people.member.post('/v1/monitors', { ...site, name: `m${at}` }),
            ),
          ),
        )
        expect(told).toHaveLength(12)
        expect(new Set(told.map(({ id }) => id)).size).toBe(12)
        expect(new Set(told.map(({ resource_id }) => resource_id)).size).toBe(12)
      })
    })

    test('it can be searched, sorted and paged', async () => {
      const first = await log('operation=createMonitor&sort=id')
      expect(first.length).toBeGreaterThan(2)
      expect(first.map(({ id }) => id)).toEqual(first.map(({ id }) => id).sort((a, b) => a - b))
      expect((await log('kind=channel')).every(({ kind }) => kind === 'channel')).toBe(true)
      expect((await log('actor=session')).every(({ actor }) => actor === 'session')).toBe(true)
      const { body } = await stage.people.owner.get('/v1/audit-log?per_page=2&page=2')
      expect(body.data).toHaveLength(2)
      expect(body.links.prev).toContain('page=1')
    })

    test('it never holds a secret', async () => {
      const text = JSON.stringify(await log()) + JSON.stringify(await log('page=2'))
      expect(text).not.toMatch(/s3cret|correct horse|another long|wp_(api|app|rum|probe|session)_|whsec_|https?:/)
    })
  },
  { WATCHPOST_REGISTRATION: 'open', WATCHPOST_TRUSTED_PROXIES: '127.0.0.1' },
)
