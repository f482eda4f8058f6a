import { describe, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'

const shop = { name: 'Shop', type: 'https', target: 'https://shop.example/' }
const search = { name: 'Search', type: 'https', target: 'https://search.example/', options: { keyword: 'ready' } }
const hook = { name: 'on-call', type: 'webhook', url: 'https://hooks.example.com/x', monitors: ['Shop'] }
const page = {
  slug: 'acme-apply',
  title: 'Acme status',
  monitors: [{ monitor: 'Shop', group_name: 'Front' }, { monitor: 'Search' }],
}
const window = {
  name: 'New disks',
  monitors: ['Search'],
  starts_at: '2099-01-01T00:00:00.000Z',
  ends_at: '2099-01-01T01:00:00.000Z',
}
const resources = { monitors: [shop, search], status_pages: [page], channels: [hook], maintenance: [window] }

onEachEngine((stage, engine) => {
  const list = async (path: string) => (await stage.people.owner.get(`${path}?per_page=100`)).body.data

  describe('a plan', () => {
    test('says what would be made, and makes nothing', async () => {
      const { status, body } = await stage.people.owner.post('/v1/plan', { resources })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.data).toMatchObject({
        source: 'monitorctl',
        applied: false,
        summary: { create: 5, update: 0, delete: 0, adopt: 0, unchanged: 0 },
      })
      const made = body.data.changes.find((change: { key: string }) => change.key === 'Search')
      expect(made).toMatchObject({ kind: 'monitors', id: null, action: 'create' })
      expect(made.properties).toContainEqual({ path: 'options.keyword', old: null, new: 'ready' })
      expect(await list('/v1/monitors')).toEqual([])
    })

    test('names every field that is wrong by its place in the files', async () => {
      const { status, body } = await stage.people.owner.post('/v1/plan', {
        resources: {
          monitors: [shop, { ...search, interval: 5, options: { keywrd: 'x' } }, { ...shop }],
          status_pages: [{ slug: 'other', title: 'Other', monitors: [{ monitor: 'Nobody' }] }],
        },
      })
      expect(status).toBe(422)
      expect(Object.keys(body.errors).sort()).toEqual([
        'resources.monitors.1.interval',
        'resources.monitors.1.options.keywrd',
      ])
      const second = await stage.people.owner.post('/v1/plan', {
        resources: {
          monitors: [shop, { ...shop }],
          status_pages: [{ slug: 'other', title: 'Other', monitors: [{ monitor: 'Nobody' }] }],
        },
      })
      expect(second.body.errors).toEqual({
        'resources.monitors.1.name': 'is there twice: monitors 1 and 2 say the same',
        'resources.status_pages.0.monitors.0.monitor': 'no monitor is called "Nobody", neither here nor in the files',
      })
    })
  })

  describe('the monitors of a page', () => {
    const plan = (monitors: unknown[]) =>
      stage.people.owner.post('/v1/plan', {
        resources: { monitors: [shop, search], status_pages: [{ ...page, monitors }] },
      })
    const shown = (body: { data: { changes: { kind: string; properties: unknown }[] } }) =>
      body.data.changes.find(({ kind }) => kind === 'status_pages')?.properties

    test('are names, or objects with more', async () => {
      const { status, body } = await plan(['Shop', { monitor: 'Search', display_name: 'Find' }])
      expect(status, JSON.stringify(body)).toBe(200)
      const other = await plan([{ monitor: 'Shop' }, { monitor: 'Search', display_name: 'Find' }])
      expect(shown(body)).toEqual(shown(other.body))
    })

    test('are refused where they stand', async () => {
      const at = (errors: Record<string, string>) =>
        Object.fromEntries(
          Object.entries(errors).map(([field, fault]) => [field.replace('resources.status_pages.0.', ''), fault]),
        )
      expect(at((await plan(['', 0, true, {}, { monitor: 'Shop', colour: 'red' }])).body.errors)).toEqual({
        'monitors.0': 'must not be empty',
        'monitors.1': 'must be 1 or more',
        'monitors.2': 'must be a string or integer or object',
        'monitors.3.monitor': 'is required',
        'monitors.4.colour': 'unknown field',
      })
      expect(at((await plan(['Nobody', 'Shop', { monitor: 'Shop' }])).body.errors)).toEqual({
        'monitors.0': 'no monitor is called "Nobody", neither here nor in the files',
        'monitors.2.monitor': 'is on the page twice',
      })
    })
  })

  describe('an apply', () => {
    test('makes everything, and says who manages it', async () => {
      const { body: plan } = await stage.people.owner.post('/v1/plan', { resources })
      const { status, body } = await stage.people.owner.post('/v1/apply', {
        resources,
        plan_token: plan.data.plan_token,
      })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.data.applied).toBe(true)
      expect(body.data.changes.every((change: { id: number }) => change.id > 0)).toBe(true)
      for (const path of ['monitors', 'status-pages', 'channels', 'maintenance-windows']) {
        for (const each of await list(`/v1/${path}`)) expect(each.managed_by, path).toBe('monitorctl')
      }
      const [{ id }] = await list('/v1/status-pages')
      const { data } = (await stage.people.owner.get(`/v1/status-pages/${id}`)).body
      expect(data.monitors.map((each: { name: string; group_name: string }) => [each.name, each.group_name])).toEqual([
        ['Shop', 'Front'],
        ['Search', 'General'],
      ])
      const [channel] = await list('/v1/channels')
      expect(channel.monitor_ids).toEqual([data.monitors[0].monitor_id])
      expect(data.monitors[0]).toBeDefined()
      expect((await stage.people.owner.get(`/v1/monitors/${data.monitors[0].monitor_id}`)).body.data.status).toBe(
        'pending',
      )
    })

    test('changes nothing when it is applied again, nor when an export is', async () => {
      const again = await stage.people.owner.post('/v1/apply', { resources })
      expect(again.body.data).toMatchObject({ applied: true, changes: [], summary: { unchanged: 5 } })
      const { body } = await stage.people.owner.get('/v1/export')
      expect(body.data.monitors).toEqual([shop, search])
      const plan = await stage.people.owner.post('/v1/plan', { resources: body.data, source: 'another' })
      expect(plan.body.data, JSON.stringify(plan.body)).toMatchObject({ changes: [], summary: { unchanged: 5 } })
    })

    test('shows each property that changes, and returns what is left out to its default', async () => {
      const changed = { ...search, interval: 30, options: {} }
      const { body } = await stage.people.owner.post('/v1/apply', { resources: { monitors: [shop, changed] } })
      expect(body.data.changes).toEqual([
        {
          kind: 'monitors',
          key: 'Search',
          id: expect.any(Number),
          action: 'update',
          properties: [
            { path: 'interval', old: 60, new: 30 },
            { path: 'options.keyword', old: 'ready', new: null },
          ],
        },
      ])
      const [, { interval, options }] = await list('/v1/monitors')
      expect({ interval, options }).toEqual({ interval: 30, options: {} })
    })

    test('is all or nothing: a slug that another team has leaves not even the monitors', async () => {
      await stage.people.stranger.post('/v1/status-pages', { slug: 'theirs', title: 'Theirs' })
      const { status, body } = await stage.people.owner.post('/v1/apply', {
        resources: {
          monitors: [{ ...shop, name: 'Never' }],
          status_pages: [{ slug: 'theirs', title: 'Ours' }],
        },
      })
      expect(status).toBe(422)
      expect(body.errors).toEqual({ 'resources.status_pages.0.slug': 'is taken; choose another' })
      expect((await list('/v1/monitors')).map((each: { name: string }) => each.name)).toEqual(['Shop', 'Search'])
    })

    test('a plan that is old is 409', async () => {
      const change = { resources: { monitors: [{ ...shop, interval: 90 }] } }
      const { body: plan } = await stage.people.owner.post('/v1/plan', change)
      const [{ id }] = await list('/v1/monitors')
      await stage.people.owner.patch(`/v1/monitors/${id}`, { timeout: 7 })
      const { status, body } = await stage.people.owner.post('/v1/apply', {
        ...change,
        plan_token: plan.data.plan_token,
      })
      expect([status, body.code]).toEqual([409, 'conflict'])
      await stage.people.owner.patch(`/v1/monitors/${id}`, { timeout: 10 })
    })

    test('two at the same moment both hold, and neither is half done', async () => {
      const asks = [20, 25].map(interval =>
        stage.people.owner.post('/v1/apply', {
          resources: { monitors: [shop, search].map(each => ({ ...each, interval })) },
        }),
      )
      for (const { status, body } of await Promise.all(asks)) expect([200, 409], JSON.stringify(body)).toContain(status)
      const [one, other] = await list('/v1/monitors')
      expect([20, 25]).toContain(one.interval)
      expect(other.interval).toBe(one.interval)
    })

    test('prune deletes what this source manages, and nothing else', async () => {
      await stage.people.owner.post('/v1/monitors', { ...shop, name: 'By hand' })
      await stage.people.owner.post('/v1/apply', {
        source: 'others.git',
        resources: { monitors: [{ ...shop, name: 'Of others' }] },
      })
      const { body } = await stage.people.owner.post('/v1/apply', { prune: true, resources: { monitors: [shop] } })
      expect(body.data.summary, JSON.stringify(body)).toMatchObject({ delete: 4 })
      const left = (await list('/v1/monitors')).map((each: { name: string }) => each.name)
      expect(left).toEqual(['Shop', 'By hand', 'Of others'])
      expect(await list('/v1/channels')).toEqual([])
      expect(await list('/v1/status-pages')).toEqual([])
      expect(await list('/v1/maintenance-windows')).toEqual([])
    })

    test('does not change what another source manages, unless it is to adopt it', async () => {
      const resources = { monitors: [{ ...shop, name: 'Of others', interval: 45 }] }
      const refused = await stage.people.owner.post('/v1/apply', { resources })
      expect(refused.body.errors).toEqual({
        'resources.monitors.0.name':
          'is managed by "others.git"; apply with that --source, or take it over with --adopt',
      })
      const { body } = await stage.people.owner.post('/v1/apply', { resources, adopt: true })
      expect(body.data.changes[0].properties).toContainEqual({
        path: 'managed_by',
        old: 'others.git',
        new: 'monitorctl',
      })
      const adopted = await stage.people.owner.post('/v1/apply', {
        adopt: true,
        resources: { monitors: [{ ...shop, name: 'By hand' }] },
      })
      expect(adopted.body.data.summary).toMatchObject({ adopt: 1, update: 0 })
      expect((await list('/v1/monitors'))[1].managed_by).toBe('monitorctl')
    })

    test('a dry run is a plan', async () => {
      const resources = { monitors: [{ ...shop, name: 'Dry' }] }
      const { body } = await stage.people.owner.post('/v1/apply', { resources, dry_run: true })
      expect(body.data).toMatchObject({ applied: false, summary: { create: 1 } })
      expect((await list('/v1/monitors')).some((each: { name: string }) => each.name === 'Dry')).toBe(false)
    })
  })

  describe('secrets', () => {
    const secret = 'S3cret-of-the-shop'
    const guarded = { ...shop, name: 'Guarded', options: { auth: { type: 'bearer', token: secret } } }
    const slack = { name: 'team', type: 'slack', url: 'https://hooks.slack.com/services/T0/B0/abcdefghijklmnopqrstuv' }

    test('are in no plan and no export, and stay where a mask or nothing is said of them', async () => {
      const asked = { resources: { monitors: [guarded], channels: [slack] } }
      const plan = JSON.stringify((await stage.people.owner.post('/v1/apply', asked)).body)
      expect(plan).toContain('"new":"***"')
      expect(plan).not.toContain(secret)
      expect(plan).not.toContain('abcdefghijklmnopqrstuv')
      const { data } = (await stage.people.owner.get('/v1/export')).body
      expect(JSON.stringify(data)).not.toContain(secret)
      expect(JSON.stringify(data)).not.toContain('hooks.slack.com')
      const again = await stage.people.owner.post('/v1/apply', { resources: data })
      expect(again.body.data, JSON.stringify(again.body)).toMatchObject({ changes: [] })
      const [{ id }] = (await list('/v1/monitors')).filter((each: { name: string }) => each.name === 'Guarded')
      const { options } = (await stage.people.owner.get(`/v1/monitors/${id}`)).body.data
      expect(options.auth.token).toBe(secret)
    })

    test('a mask that nothing is kept for is refused', async () => {
      const { body } = await stage.people.owner.post('/v1/plan', {
        resources: { monitors: [{ ...guarded, name: 'New', options: { auth: { type: 'bearer', token: '***' } } }] },
      })
      expect(body.errors).toEqual({
        'resources.monitors.0.options.auth.token': 'is masked, and nothing is kept; give the whole',
      })
    })

    test('values that are named as secrets are hidden wherever they stand', async () => {
      const { body } = await stage.people.owner.post('/v1/plan', {
        resources: { monitors: [{ ...shop, name: 'Posts', method: 'post', options: { body: 'pass=1' } }] },
        secrets: ['monitors.0.options.body'],
      })
      expect(body.data.changes[0].properties).toContainEqual({ path: 'options.body', old: null, new: '***' })
    })
  })

  describe('who may', () => {
    const one = { resources: { monitors: [{ ...shop, name: `Member’s on ${engine}` }] } }
    test('a viewer may not even ask', async () => {
      for (const path of ['/v1/plan', '/v1/apply']) expect((await stage.people.viewer.post(path, one)).status).toBe(403)
      expect((await stage.people.viewer.get('/v1/export')).status).toBe(403)
    })
    test('a member applies monitors, and no channels', async () => {
      expect((await stage.people.member.post('/v1/apply', one)).status).toBe(200)
      const { status, body } = await stage.people.member.post('/v1/apply', {
        resources: { monitors: [{ ...shop, name: 'Not alone' }], channels: [hook] },
      })
      expect([status, body.message]).toEqual([403, 'Your role is member; changing channels needs admin or above'])
      expect((await list('/v1/monitors')).some((each: { name: string }) => each.name === 'Not alone')).toBe(false)
    })
    test('pages need the scope', async () => {
      const { body } = await stage.people.owner.post('/v1/tokens', { name: 'bare', role: 'admin' })
      const ask = await fetch(`${stage.world.url}/v1/apply`, {
        method: 'POST',
        headers: { authorization: `Bearer ${body.data.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ resources: { status_pages: [{ slug: 'scoped', title: 'Scoped' }] } }),
      })
      expect(ask.status).toBe(403)
    })
    test('the domain of a page is for owners and admins, and belongs to one page', async () => {
      const named = (slug: string) => ({ slug, title: 'With a domain', custom_domain: 'Status.Files.Example' })
      const one = { resources: { status_pages: [named('with-domain')] } }
      const { status, body } = await stage.people.member.post('/v1/apply', one)
      expect([status, body.message]).toEqual([
        403,
        'Your role is member; the custom domain of a page needs admin or above',
      ])
      expect((await stage.people.owner.post('/v1/apply', one)).status).toBe(200)
      expect((await stage.people.owner.post('/v1/plan', one)).body.data.changes).toEqual([])

      const others = await stage.people.stranger.post('/v1/plan', { resources: { status_pages: [named('of-others')] } })
      expect(others.body.errors).toEqual({ 'resources.status_pages.0.custom_domain': 'is the domain of another page' })
      const two = await stage.people.owner.post('/v1/plan', {
        resources: { status_pages: [named('with-domain'), named('and-another')] },
      })
      expect(two.body.errors).toMatchObject({
        'resources.status_pages.1.custom_domain': 'is the domain of another page',
      })
    })
    test('another team sees and changes nothing of it', async () => {
      const { body } = await stage.people.stranger.get('/v1/export')
      expect(body.data.monitors).toEqual([])
      const plan = await stage.people.stranger.post('/v1/plan', { prune: true, resources: { monitors: [] } })
      expect(plan.body.data.changes).toEqual([])
    })
  })

  test('the monitor of a probe is in no file, stays where it is, and may be on a page', async () => {
    const { monitor_id } = (await stage.people.owner.post('/v1/probes', { name: 'edge' })).body.data
    const { name } = (await stage.people.owner.get(`/v1/monitors/${monitor_id}`)).body.data
    const resources = { status_pages: [{ slug: 'machines', title: 'Machines', monitors: [{ monitor: name }] }] }
    const made = await stage.people.owner.post('/v1/apply', { source: 'machines', resources })
    expect(made.body.data?.summary, JSON.stringify(made.body)).toMatchObject({ create: 1 })
    const { data } = (await stage.people.owner.get('/v1/export')).body
    expect(data.monitors.some((each: { type: string }) => each.type === 'server')).toBe(false)
    const again = await stage.people.owner.post('/v1/plan', { source: 'machines', resources: data })
    expect(again.body.data.changes).toEqual([])
    await stage.people.owner.post('/v1/apply', { source: 'machines', prune: true, resources: {} })
    expect((await stage.people.owner.get(`/v1/monitors/${monitor_id}`)).status).toBe(200)
  })

  test('regions and quorum are kept, and a monitor is made due in each region', async () => {
    const monitor = { ...shop, name: 'Regional', options: { regions: ['eu', 'us'], quorum: 'majority' } }
    const { body } = await stage.people.owner.post('/v1/apply', {
      source: 'regions',
      resources: { monitors: [monitor] },
    })
    const [{ id }] = body.data.changes
    const explained = (await stage.people.owner.get(`/v1/monitors/${id}/explain`)).body.data
    expect(JSON.stringify(explained)).toContain('"us"')
    const wrong = { ...monitor, options: { regions: ['eu'], quorum: 2 } }
    const refused = await stage.people.owner.post('/v1/plan', { source: 'regions', resources: { monitors: [wrong] } })
    expect(Object.keys(refused.body.errors)).toEqual(['resources.monitors.0.options.quorum'])
    await stage.people.owner.delete(`/v1/monitors/${id}`)
  })

  test('a backtest replays each monitor once, for a viewer, too', async () => {
    const source = 'twins'
    await stage.people.owner.post('/v1/apply', { source, resources: { monitors: [{ ...shop, name: 'Twin' }] } })
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const ask = (...monitors: object[]) => stage.people.viewer.post('/v1/backtest', { since, resources: { monitors } })
    const [twin, other] = ['Twin', 'Nobody'].map(name => ({ ...shop, name }))
    const { status, body } = await ask(other as object, twin as object, other as object, twin as object)
    expect([status, body.errors]).toEqual([
      422,
      { 'resources.monitors.3.name': 'is there twice: monitors 2 and 4 mean the same' },
    ])
    const once = await ask(twin as object, other as object)
    expect(once.body.data, JSON.stringify(once.body)).toMatchObject({
      monitors: [{ name: 'Twin', checks: 0 }],
      unknown: ['Nobody'],
    })
    await stage.people.owner.post('/v1/apply', { source, prune: true, resources: {} })
  })

  test('more than a mebibyte may be planned, and more than sixteen may not', async () => {
    const long = (count: number) => ({
      resources: {
        monitors: Array.from({ length: count }, (_, index) => ({
          ...shop,
          name: `Long ${index}`,
          options: { body: 'x'.repeat(60_000) },
        })),
      },
    })
    expect((await stage.people.owner.post('/v1/plan', long(30))).status).toBe(200)
    const { status, body } = await stage.people.owner.post('/v1/plan', long(300))
    expect([status, body.message]).toEqual([413, 'The body is larger than 16777216 bytes'])
  })

  test('five hundred monitors are made, exported and applied again as they are', async () => {
    const monitors = Array.from({ length: 500 }, (_, index) => ({
      name: `Bulk ${index}`,
      type: 'http',
      target: `http://bulk-${index}.example/`,
    }))
    const made = await stage.people.owner.post('/v1/apply', { source: 'bulk', resources: { monitors } })
    expect(made.body.data.summary).toMatchObject({ create: 500 })
    const changed = await stage.people.owner.post('/v1/apply', {
      source: 'bulk',
      resources: { monitors: monitors.map(each => ({ ...each, interval: 30 })) },
    })
    expect(changed.body.data.summary).toMatchObject({ update: 500 })
    const { data } = (await stage.people.owner.get('/v1/export')).body
    const again = await stage.people.owner.post('/v1/apply', { source: 'bulk', resources: data })
    expect(again.body.data.changes).toEqual([])
    const { body } = await stage.people.owner.post('/v1/apply', { source: 'bulk', prune: true, resources: {} })
    expect(body.data.summary).toMatchObject({ delete: 500 })
  })
})
