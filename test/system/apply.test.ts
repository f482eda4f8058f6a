import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openDb } from '@watchpost/store'
import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { castOf, type People, type Person } from '../people.ts'
import { type Ran, type Running, runProgram, World } from '../world.ts'

const minute = 60_000
const root = new URL('../..', import.meta.url).pathname
const fixture = (name: string) => join(root, 'packages/cli/src/import/testing', name)

/** What makes a team of five hundred monitors, as files. */
function bulk(interval = 60): string {
  const monitors = Array.from({ length: 500 }, (_, index) => ({
    name: `Bulk ${index}`,
    ...(index % 3 === 0
      ? { type: 'tcp', target: `bulk-${index}.example:443` }
      : { type: 'https', target: `https://bulk-${index}.example/`, options: { keyword: `ready ${index}` } }),
    interval,
  }))
  return JSON.stringify({
    source: 'bulk.git',
    monitors,
    status_pages: [
      { slug: 'bulk', title: 'Bulk', monitors: monitors.slice(0, 200).map(({ name }) => ({ monitor: name })) },
    ],
    channels: [{ name: 'bulk', type: 'webhook', url: 'https://hooks.example.com/bulk', monitors: ['Bulk 1'] }],
    maintenance: [
      {
        name: 'Bulk work',
        monitors: monitors.slice(0, 50).map(({ name }) => name),
        starts_at: '2099-01-01T00:00:00Z',
        duration: 3600,
      },
    ],
  })
}

describe.each(['sqlite', 'postgres'] as const)('monitoring as code on %s', engine => {
  let world: World
  let server: Running
  let people: People
  let place: Awaited<ReturnType<typeof newPlace>>
  let dir: string
  const env: Record<string, string> = {}
  const ctl = (...args: string[]): Promise<Ran> =>
    runProgram('monitorctl', args, { WATCHPOST_URL: world.url, WATCHPOST_TOKEN: world.credentials.api_token, ...env })
  const file = async (name: string, text: string) => {
    const path = join(dir, name)
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, text)
    return path
  }
  const names = async () =>
    (await people.owner.get('/v1/export')).body.data.monitors.map((each: { name: string }) => each.name)
  const total = async (path = 'monitors') => (await people.owner.get(`/v1/${path}?per_page=1`)).body.meta.total

  /** Another door to the tables, for what no server would do. */
  async function script(sql: string): Promise<void> {
    const dataDir = join(world.dir, 'data')
    const db = await openDb({ dataDir, databaseUrl: place.databaseUrl, exclusiveOwner: false })
    await db.script(sql)
    await db.close()
  }

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create({
      ...(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl }),
      env: { WATCHPOST_SMTP_URL: 'smtp://127.0.0.1:1', WATCHPOST_MAIL_FROM: 'alerts@example.com' },
    })
    server = await world.server()
    people = await castOf(world)
    dir = join(world.dir, 'files')
  })
  afterAll(async () => {
    await world?.close()
    await place?.remove()
  })

  test('a variable that is not set, and every field that is wrong, is named by file and line', async () => {
    const shop = await file(
      'wrong/shop.yaml',
      `monitors:
  - name: Shop
    type: https
    target: https://shop.example/
    interval: 5
    options: { keywrd: Basket }
status_pages:
  - slug: shop
    title: Shop
    monitors: [{ monitor: Nobody }]
`,
    )
    const unset = await file('unset.yaml', `monitors:\n  - { name: A, type: tcp, target: "\${NO_SUCH_HOST}:1" }\n`)
    const ran = await ctl('apply', '-f', shop)
    expect([ran.code, ran.stdout]).toEqual([2, ''])
    expect(ran.stderr).toContain(`${shop}:5 monitors "Shop" interval: must be 10 or more`)
    expect(ran.stderr).toContain(`${shop}:6 monitors "Shop" options.keywrd: `)
    const second = await ctl('apply', '-f', unset)
    expect([second.code, second.stdout]).toEqual([2, ''])
    expect(second.stderr).toContain(`${unset}:2: the variable NO_SUCH_HOST is not set`)
    expect(await total()).toBe(0)
  })

  test('the examples apply, and then change nothing', async () => {
    const first = await ctl('apply', '-f', join(root, 'examples/monitoring'), '--yes')
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toContain('9 created, 0 unchanged.')
    const again = await ctl('diff', '-f', join(root, 'examples/monitoring'), '--exit-code')
    expect([again.code, again.stdout]).toEqual([0, 'No changes: 9 as the files say.\n'])
    const gone = await ctl('apply', '-f', await file('empty.yaml', 'source: examples\n'), '--prune')
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('--prune')])
    const meant = await file('none.yaml', 'source: examples\nmonitors: []\n')
    const ran = await ctl('apply', '-f', meant, '--prune', '--dry-run')
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).toContain('9 to delete')
  })

  test('five hundred monitors are applied, exported and applied again without a change, in seconds', async () => {
    const path = await file('bulk/all.json', bulk())
    const from = performance.now()
    const made = await ctl('apply', '-f', join(dir, 'bulk'), '--yes')
    expect([made.code, made.stderr]).toEqual([0, ''])
    expect(made.stdout).toMatch(/503 created, 0 unchanged\.\n$/)
    expect(performance.now() - from).toBeLessThan(60_000)

    expect((await ctl('diff', '-f', path, '--exit-code')).stdout).toBe('No changes: 503 as the files say.\n')
    const exported = await ctl('export')
    expect([exported.code, exported.stderr]).toEqual([0, ''])
    const everything = await file('exported.yaml', exported.stdout)
    const again = await ctl('diff', '-f', everything, '--exit-code')
    expect([again.code, again.stdout, again.stderr]).toEqual([0, 'No changes: 512 as the files say.\n', ''])
    const applied = await ctl('apply', '-f', everything)
    expect([applied.code, applied.stdout]).toEqual([0, 'No changes: 512 as the files say.\n'])

    const slower = await ctl('diff', '-f', await file('slower.json', bulk(120)), '--exit-code', '-o', 'json')
    expect(slower.code).toBe(1)
    const { summary, changes } = JSON.parse(slower.stdout)
    expect(summary).toEqual({ create: 0, update: 500, delete: 0, adopt: 0, unchanged: 3 })
    expect(changes[0].properties).toEqual([{ path: 'interval', old: 60, new: 120 }])
  })

  test('a failure in the middle leaves everything as it was', async () => {
    const before = JSON.stringify((await people.owner.get('/v1/export')).body)
    await script(
      engine === 'sqlite'
        ? `create trigger boom before update on monitors when new.name = 'Bulk 250' and new.interval_s = 120
           begin select raise(abort, 'boom'); end`
        : `create function boom() returns trigger language plpgsql as $$
             begin if new.name = 'Bulk 250' and new.interval_s = 120 then raise 'boom'; end if; return new; end $$;
           create trigger boom before update on monitors for each row execute function boom()`,
    )
    const ran = await ctl('apply', '-f', join(dir, 'slower.json'), '--yes', '--request-timeout', '60s')
    expect(ran.code, ran.stderr).toBe(6)
    expect(JSON.stringify((await people.owner.get('/v1/export')).body)).toBe(before)
    await script(engine === 'sqlite' ? 'drop trigger boom' : 'drop trigger boom on monitors')
    expect((await ctl('apply', '-f', join(dir, 'slower.json'), '--yes')).stdout).toContain('500 changed, 3 unchanged.')
  })

  test('a server that is killed in the middle has applied all of it or nothing', async () => {
    for (const delay of [100, 250, 400]) {
      const interval = 200 + delay
      const { source, ...resources } = JSON.parse(bulk(interval))
      const applying = people.owner.post('/v1/apply', { source, resources }).catch(() => undefined)
      await new Promise(resolve => setTimeout(resolve, delay))
      await server.stop('SIGKILL')
      await applying
      server = await world.server(new URL(world.url).host)
      const { data } = (await people.owner.get('/v1/export')).body
      const changed = data.monitors.filter((each: { interval: number }) => each.interval === interval)
      expect([0, 500]).toContain(changed.length)
    }
  })

  test('prune deletes what this source manages, and asks for --yes where nobody can be asked', async () => {
    await people.owner.post('/v1/monitors', { name: 'By hand', type: 'tcp', target: 'hand.example:1' })
    const few = await file(
      'few.yaml',
      'source: bulk.git\nmonitors:\n  - { name: Kept, type: tcp, target: "a.example:1" }\n',
    )
    const unsure = await ctl('apply', '-f', few, '--prune')
    expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining('--yes')])
    expect(await total()).toBe(507)
    const ran = await ctl('apply', '-f', few, '--prune', '--yes')
    expect(ran.stdout).toContain('1 created, 503 deleted, 0 unchanged.')
    expect((await names()).toSorted()).toEqual(
      ['By hand', 'Certificate', 'Kept', 'Mail', 'Name', 'Orders API', 'Router', 'Shop'].toSorted(),
    )
    const [kept] = (await people.owner.get('/v1/monitors?per_page=100&sort=-id')).body.data
    expect(kept).toMatchObject({ name: 'Kept', managed_by: 'bulk.git' })
  })

  test('secrets are in no plan, no export and no log', async () => {
    Object.assign(env, { SHOP_TOKEN: 'wOrd-one', GREETING: 'wOrd-two', HOOK_SECRET: 'wOrd-three' })
    const path = await file(
      'secret.yaml',
      `source: secret.git
monitors:
  - name: Guarded
    type: https
    target: https://guarded.example/
    options:
      auth: { type: bearer, token: "\${SHOP_TOKEN}" }
      headers: { Cookie: plain-cookie-wOrd }
      body: { secret: "\${GREETING}" }
    method: post
channels:
  - name: guarded
    type: slack
    url: https://hooks.slack.com/services/T0/B0/\${HOOK_SECRET}
`,
    )
    for (const args of [['diff'], ['diff', '-o', 'json'], ['apply', '--dry-run'], ['apply', '--yes', '-o', 'yaml']]) {
      const ran = await ctl(...args, '-f', path)
      expect([ran.code, ran.stderr]).toEqual([0, ''])
      expect(ran.stdout).not.toContain('wOrd')
      expect(ran.stdout).toContain('***')
    }
    Object.assign(env, { SHOP_TOKEN: 'wOrd-four' })
    const changed = await ctl('diff', '-f', path)
    expect(changed.stdout).toMatch(/options\.auth\.token +\*\*\* → \*\*\*/)
    expect((await ctl('export')).stdout).not.toMatch(/wOrd-(one|three)|plain-cookie/)
    expect(server.output).not.toContain('wOrd')
  })

  test.each([
    ['uptime-kuma', [fixture('kuma-backup.json')]],
    ['gatus', [fixture('gatus.yaml')]],
    ['blackbox', [fixture('blackbox.yml'), '--targets', fixture('prometheus.yml')]],
  ])('what is imported from %s can be applied as it is', async (from, words) => {
    Object.assign(env, {
      SLACK_WEBHOOK_URL: 'https://hooks.slack.com/services/T0/B0/x',
      TELEGRAM_TOKEN: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
      API_TOKEN: 'a',
    })
    const imported = await ctl('import', '--from', from, ...words)
    expect(imported.code, imported.stderr).toBe(0)
    const path = await file(`imported-${from}.yaml`, imported.stdout)
    const applied = await ctl('apply', '-f', path, '--source', from, '--adopt', '--yes')
    expect([applied.code, applied.stderr]).toEqual([0, ''])
    const again = await ctl('diff', '-f', path, '--source', from, '--exit-code')
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('No changes')])
  })

  test('a backtest tells what other settings would have reported, beside what was', async () => {
    const { token, monitor_id: own } = (await people.owner.post('/v1/probes', { name: 'p' })).body.data
    await people.owner.delete(`/v1/monitors/${own}`)
    const target = { name: 'Tested', type: 'https', target: 'https://tested.example/' }
    const { id } = (await people.owner.post('/v1/monitors', target)).body.data
    const now = Date.now()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    await fetch(`${world.url}/v1/probe/get-checks?limit=1000`, { headers })
    const report = async (story: string, first: number, step: number) => {
      const results = [...story].map((letter, index) => ({
        monitor_id: id,
        status: letter === 'x' ? 'offline' : 'online',
        response_time_ms: letter === 's' ? 900 : 50,
        checked_at: new Date(first + index * step).toISOString(),
        ...(letter === 'x' ? { error_kind: 'connect_refused', error_message: 'Nobody listens' } : {}),
      }))
      const probe = await fetch(`${world.url}/v1/probe/check-results`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ results }),
      })
      expect(probe.status).toBe(200)
      const { data } = (await probe.json()) as { data: { ok: boolean }[] }
      expect(
        data.every(({ ok }) => ok),
        JSON.stringify(data),
      ).toBe(true)
    }
    await report('..xx..xxxx..ss..', now - 60 * minute, minute)
    await report('xx', Date.now() - 1, 1)

    const test = async (options: object) => {
      const path = await file('tested.json', JSON.stringify({ monitors: [{ ...target, options }] }))
      const ran = await ctl('backtest', '-f', path, '--since', '30d', '-o', 'json')
      expect([ran.code, ran.stderr]).toEqual([0, ''])
      return JSON.parse(ran.stdout)
    }
    const minutes = (outages: { opened_at: string }[]) =>
      outages.map(({ opened_at }) => Math.round((Date.parse(opened_at) - (now - 60 * minute)) / minute))
    const two = await test({ confirmations: 2 })
    expect(minutes(two.monitors[0].would)).toEqual([3, 7, 60])
    expect(minutes(two.monitors[0].did)).toEqual([3, 7, 60])
    expect(two.monitors[0].would[0]).toMatchObject({ error: 'Nobody listens', checks: 1 })
    expect(two.notes[0]).toContain('kept for seven days')
    expect(minutes((await test({ confirmations: 3 })).monitors[0].would)).toEqual([8])
    expect(minutes((await test({ max_response_time_ms: 500 })).monitors[0].would)).toEqual([3, 7, 13, 60])
    expect(minutes((await test({ auto_incident: false })).monitors[0].would)).toEqual([])

    const path = await file('tested.yaml', JSON.stringify({ monitors: [target, { ...target, name: 'Unknown' }] }))
    const text = await ctl('backtest', '-f', path)
    expect(text.stdout).toMatch(/^Tested {2}3 would have opened, 3 did \(18 checks\)\n/)
    expect(text.stdout).toContain('No monitor is called "Unknown" on the server.')
  })

  test('the schema that is shipped is the one of the server', async () => {
    const { stdout } = await ctl('schema')
    const shipped = await import('../../examples/monitoring/watchpost.schema.json', { with: { type: 'json' } })
    expect(JSON.parse(stdout)).toEqual(shipped.default)
  })

  test('a viewer asks in vain, and a stranger sees nothing', async () => {
    const { body } = await people.owner.post('/v1/tokens', { name: 'seeing', role: 'viewer' })
    const ran = await ctl('diff', '-f', join(dir, 'few.yaml'), '--token', body.data.token)
    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining('viewer')])
    const stranger: Person = people.stranger
    expect((await stranger.get('/v1/export')).body.data).toMatchObject({ monitors: [] })
  })
})
