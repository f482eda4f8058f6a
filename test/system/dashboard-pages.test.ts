import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChromium, Visit } from '../chromium.ts'
import { lonelyProbe, Person } from '../people.ts'
import { World } from '../world.ts'

// Every page, as it is with something on it: for those who cannot see it, for a phone, and by its weight.
let world: World
let owner: Person
let browser: Browser
let paths: string[]

const traceId = '5b8efff798038103d269b633813fc60c'
const example = (name: string) => readFileSync(`packages/server/src/ingest/testing/otlp-examples/${name}.json`, 'utf8')
const now = (text: string) =>
  text.replace(/"(\w*[tT]imeUnixNano)":\s*"\d+"/g, (_, name) => `"${name}":"${Date.now() - 60_000}000000"`)

beforeAll(async () => {
  world = await World.create()
  await world.server()
  owner = new Person(world, world.credentials.api_token)
  const made = async (path: string, body: object) => (await owner.post(path, body)).body.data
  const probe = await lonelyProbe(world, owner)
  const monitor = await made('/v1/monitors', { name: 'Shop', type: 'http', target: 'http://127.0.0.1:1/', options: {} })
  const down = await made('/v1/monitors', { name: 'Till', type: 'tcp', target: '127.0.0.1:1', options: {} })
  const results = [monitor, down, down].map(({ id }, at) => ({
    monitor_id: id,
    run_id: `run ${at}`,
    status: id === down.id ? 'offline' : 'online',
    response_time_ms: 12.5,
    ...(id === down.id ? { error_kind: 'connect_refused', error_message: 'The port is closed.' } : {}),
    timings: { resolve_ms: 1, connect_ms: 2, first_byte_ms: 9 },
  }))
  await probe.post('/v1/probe/check-results', { results })
  const machine = await made('/v1/probes', { name: 'berlin-1', region: 'eu-central' })
  const host = { hostname: 'berlin-1', cpu_percent: 12, memory_total_bytes: 8e9, memory_used_bytes: 3e9, load_1: 0.4 }
  await new Person(world, machine.token).post('/v1/probe/heartbeat', { host, work: { monitors: 3, lag_ms: 2 } })
  const page = await made('/v1/status-pages', { title: 'Acme status', slug: 'acme' })
  for (const { id } of [monitor, down]) await owner.post(`/v1/status-pages/${page.id}/monitors`, { monitor_id: id })
  const incident = await made('/v1/incidents', { title: 'Slow', severity: 'major', status: 'identified' })
  const starts_at = new Date(Date.now() + 3_600_000).toISOString()
  const ends_at = new Date(Date.now() + 7_200_000).toISOString()
  await made('/v1/maintenance-windows', { title: 'Upgrade', starts_at, ends_at, all_monitors: true })
  const channel = await made('/v1/channels', { name: 'Hook', type: 'webhook', url: 'http://127.0.0.1:1/' })
  await owner.post(`/v1/channels/${channel.id}/test`, undefined)
  await made('/v1/team/members', { email: 'grace@example.com', role: 'member' })
  const app = await made('/api/observability/apps', { name: 'Shop' })
  for (const signal of ['trace', 'logs', 'metrics']) {
    await fetch(`${world.url}/v1/${signal === 'trace' ? 'traces' : signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app-token': app.app_token },
      body: now(example(signal)),
    })
  }
  const url = 'https://shop.example.com/cart'
  const events = [
    { type: 'page_load', url, duration_ms: 812, session_id: 'one' },
    { type: 'web_vital', url, name: 'LCP', value: 2600, session_id: 'one' },
    {
      type: 'error',
      url,
      name: 'TypeError',
      message: 'price is undefined',
      stack: `at pay (https://shop.example.com/assets/${'x'.repeat(60)}.js:1:20391)`,
      line: 3,
      session_id: 'one',
    },
    {
      type: 'network',
      url,
      request_url: '/api/orders/7f3a9c/payments/confirm',
      status: 500,
      trace_id: '1'.repeat(32),
      session_id: 'one',
    },
  ]
  await fetch(`${world.url}/v1/ingest?api_key=${app.api_key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  const of = (base: string, ...parts: string[]) => parts.map(part => `${base}${part}`)
  paths = [
    ...of('/monitors', '', '/new', `/${monitor.id}`, `/${down.id}`, `/${machine.monitor_id}`, `/${monitor.id}/edit`),
    ...of('/incidents', '', '/new', `/${incident.id}`, `/${incident.id}/edit`),
    ...of('/maintenance', '', '/new'),
    ...of('/status-pages', '', '/new', `/${page.id}`),
    ...of('/channels', '', '/new', `/${channel.id}`, `/${channel.id}/edit`),
    ...of(
      '/apps',
      '',
      ...of(`/${app.id}`, '', '/traces', `/traces/${traceId}`, '/logs', '/metrics', '/rum', '/rum/one'),
    ),
    ...of('', `/traces/${'0'.repeat(31)}1`, '/probes', '/tokens', '/team', '/team/audit-log', '/account', '/nowhere'),
  ]
  browser = await startChromium()
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

// The same document, in other colours and another shape.
const otherwise = ['color-contrast', 'target-size', 'scrollable-region-focusable']

test('every page can be used by everybody, on a wide screen by day and on a phone by night', async () => {
  const visit = await Visit.begin(browser, world)
  await visit.open('')
  await visit.page.getByLabel('E-mail').waitFor()
  const faults = [...(await visit.faults())]
  await visit.logIn(world.credentials)
  for (const path of paths) {
    await visit.look({ width: 1440 })
    await visit.go(path)
    await visit.page.locator('main h1, main h2').first().waitFor()
    await visit.page.locator('.skeleton').first().waitFor({ state: 'detached' })
    const title = await visit.page.title()
    if (!title.endsWith('· Watchpost')) faults.push(`${path} is called ${title}`)
    faults.push(...(await visit.faults()))
    await visit.look({ width: 390, dark: true })
    faults.push(...(await visit.faults(otherwise)).map(fault => `on a phone: ${fault}`))
  }
  expect(faults).toEqual([])
  expect(visit.troubles).toEqual([])
  await visit.context.close()
})

test('who is told of incidents by e-mail is listed with a status page, and taken off', async () => {
  const visit = await Visit.begin(browser, world)
  let there = [{ id: 7, email: 'ada@example.com', confirmed_at: null, created_at: '2026-11-21T09:30:00.000Z' }]
  // Without a mail server nobody can subscribe.
  await visit.page.route('**/subscribers**', async (route, request) => {
    const path = new URL(request.url()).pathname
    if (request.method() === 'DELETE') there = there.filter(({ id }) => !path.endsWith(`/${id}`))
    const data = request.method() === 'DELETE' ? null : there
    await route.fulfill({ json: { success: true, message: 'Success', data, meta: { total: there.length } } })
  })
  await visit.logIn(world.credentials)
  await visit.go('/status-pages/1')
  const { page } = visit
  await page.getByRole('table', { name: 'Subscribers' }).getByText('not yet').waitFor()
  expect(await visit.faults()).toEqual([])
  await page.getByRole('button', { name: 'Remove ada@example.com' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Nobody so far.').waitFor()
  await visit.context.close()
})

test('the first load is below 250 kB, as gzip makes it, and everything comes from here', async () => {
  const visit = await Visit.begin(browser, world)
  const weights: number[] = []
  const elsewhere: string[] = []
  visit.page.on('response', async response => {
    const url = new URL(response.url())
    if (url.origin !== world.url) elsewhere.push(response.url())
    else if (/^\/app/.test(url.pathname)) weights.push(gzipSync(await response.body()).length)
  })
  // From the first byte: what the log-in brought is kept by the browser, and comes from nowhere again.
  await visit.logIn(world.credentials)
  await visit.page.getByText('Till').first().waitFor()
  await visit.page.waitForLoadState('networkidle').catch(() => undefined)
  expect(elsewhere).toEqual([])
  const weight = weights.reduce((sum, each) => sum + each, 0)
  expect(weight).toBeGreaterThan(100_000)
  expect(weight).toBeLessThan(250_000)
  await visit.context.close()
})

test('the page allows no script that is written into it, and its files are kept for good', async () => {
  const page = await fetch(`${world.url}/app`)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toContain('unsafe')
  const [, script = ''] = /src="([^"]+\.js)"/.exec(await page.text()) ?? []
  const asset = await fetch(world.url + script, { headers: { 'accept-encoding': 'br' } })
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(asset.headers.get('content-encoding')).toBe('br')
  expect((await fetch(`${world.url}/app/assets/nothing.js`)).status).toBe(404)
})

test('with the keyboard alone: in, a new monitor, a status page, a trace, out', async () => {
  const visit = await Visit.begin(browser, world)
  const { page } = visit
  const { keyboard } = page
  await visit.open('')
  await page.getByLabel('E-mail').waitFor()
  // The first field has the focus already.
  await keyboard.type(world.credentials.email)
  await keyboard.press('Tab')
  await keyboard.type(world.credentials.password)
  await keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await keyboard.press('c')
  await page.getByRole('heading', { name: 'New monitor' }).waitFor()
  await page.locator('main input:focus').waitFor()
  await keyboard.type('127.0.0.1:9')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: '127.0.0.1:9', level: 1 }).waitFor()
  await keyboard.press('e')
  await page.getByRole('heading', { name: 'Edit monitor' }).waitFor()
  await keyboard.press('g')
  await keyboard.press('i')
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
  await keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /commands/ }).waitFor()
  await keyboard.type('till')
  await page.getByRole('option', { name: /Till/ }).first().waitFor()
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Till', level: 1 }).waitFor()
  // A status page is made, filled, and found again.
  await keyboard.press('Control+k')
  await keyboard.type('new status')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New status page' }).waitFor()
  await page.locator('main input:focus').waitFor()
  await keyboard.type('By keys')
  await keyboard.press('Enter')
  // Whoever comes to a page is at its heading, and hears it.
  await page.locator('h1:focus', { hasText: 'By keys' }).waitFor()
  await keyboard.press('/')
  await keyboard.type('till')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Take Till off the page' }).waitFor()
  await keyboard.press('Control+k')
  await keyboard.type('acme')
  await page.getByRole('option', { name: 'Acme status Status page' }).waitFor()
  await keyboard.press('Escape')
  // A trace is found, and read.
  await keyboard.press('Control+k')
  await keyboard.type('shop traces')
  await page.getByRole('option', { name: 'Shop: traces App' }).waitFor()
  await keyboard.press('Enter')
  await page.locator('h1:focus', { hasText: 'Shop' }).waitFor()
  await page.locator('main table a').first().waitFor()
  for (let at = 0; at < 40 && (await page.locator('main table a:focus').count()) === 0; at++)
    await keyboard.press('Tab')
  await keyboard.press('Enter')
  await page.getByText('Logs of this trace').waitFor()
  await keyboard.press('Control+k')
  await keyboard.type('log out')
  await keyboard.press('Enter')
  await page.getByLabel('Password').waitFor()
  expect(visit.troubles).toEqual([])
  await visit.context.close()
})

test('on a phone the menu opens, leads somewhere, and is out of the way again', async () => {
  const visit = await Visit.begin(browser, world, { width: 390 })
  const { page } = visit
  await visit.logIn(world.credentials)
  expect(await page.getByRole('link', { name: 'Incidents' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Incidents' }).click()
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Slow' }).click()
  await page.getByRole('button', { name: 'Resolve' }).click()
  await page.locator('.title-line .badge', { hasText: 'resolved' }).waitFor()
  await visit.context.close()
})

test('whoever is offline is told so, and sees what there was', async () => {
  const visit = await Visit.begin(browser, world)
  const { page, context } = visit
  await visit.logIn(world.credentials)
  await page.getByText('Till').first().waitFor()
  await context.setOffline(true)
  await page.getByText('You are offline.').waitFor()
  expect(await page.getByText('Till').first().isVisible()).toBe(true)
  await context.setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
  await context.close()
})

test('a question whose connection falls away beneath it is asked once more', async () => {
  const visit = await Visit.begin(browser, world)
  const { page } = visit
  await visit.logIn(world.credentials)
  let asked = 0
  await page.route('**/v1/channels?*', route => (++asked === 1 ? route.abort('connectionreset') : route.continue()))
  await visit.go('/channels')
  await page.getByRole('table', { name: 'Channels' }).or(page.getByRole('alert')).first().waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  expect(asked).toBe(2)
  await visit.context.close()
})

test('a page whose program does not come says so, and comes once it can; others are not held up by it', async () => {
  const visit = await Visit.begin(browser, world)
  const { page } = visit
  await visit.logIn(world.credentials)
  await page.getByText('Till').first().waitFor()
  let away = true
  await page.route('**/app/assets/list-*.js', route => (away ? route.abort() : route.continue()))
  await visit.go('/channels')
  // It has begun anew once by itself, and does not do so for ever.
  await page.getByRole('heading', { name: 'This page did not come' }).waitFor()
  await page.waitForLoadState('load')
  expect(await visit.faults()).toEqual([])
  await visit.go('/monitors')
  await page.getByText('Till').first().waitFor()
  await visit.go('/channels')
  away = false
  await page.getByRole('button', { name: 'Reload now' }).click()
  await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()
  await visit.context.close()
})
