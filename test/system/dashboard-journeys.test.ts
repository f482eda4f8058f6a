import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium, Visit } from '../chromium.ts'
import { Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { httpTarget, type Target } from '../targets.ts'
import { eventually, World } from '../world.ts'

// Each journey as a person makes it, in a real browser, on a server and a probe that run.
let world: World
let owner: Person
let browser: Browser
let visit: Visit
let page: Page
let target: Target & { monitor: Record<string, unknown> }
const button = (name: string | RegExp, on: Page = page) => on.getByRole('button', { name })
const link = (name: string | RegExp, on: Page = page) => on.getByRole('link', { name, exact: typeof name === 'string' })

beforeAll(async () => {
  world = await World.create()
  const ports = ['--listen', '127.0.0.1:0', '--otlp-listen', 'off']
  const server = world.start('watchpost-server', ['serve', '--with-probe', ...world.storage, ...ports])
  world.url = (await server.event<{ url: string }>('listening')).url
  owner = new Person(world, world.credentials.api_token)
  target = await httpTarget()
  browser = await startChromium()
  visit = await Visit.begin(browser, world)
  page = visit.page
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
  await target?.stop().catch(() => undefined)
})

describe('from nothing to a monitor', () => {
  test('a wrong password is refused, the right one lets in', async () => {
    await visit.open('/monitors')
    await page.getByLabel('E-mail').fill(world.credentials.email)
    await page.getByLabel('Password').fill('not the password')
    await button('Log in').click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(world.credentials.password)
    await button('Log in').click()
    await page.getByRole('heading', { name: 'What shall we watch?' }).waitFor()
  })

  test('one field, tried before it is saved, leads to a first verdict', async () => {
    await page.getByLabel('Target').fill(String(target.monitor.target))
    await button('Try it now').click()
    await page.getByRole('status', { name: 'What was seen' }).getByText('online').waitFor()
    await button('Watch it').click()
    await page.locator('.title-line .status', { hasText: 'online' }).waitFor()
    await page.getByRole('table', { name: 'Checks' }).getByText('online').first().waitFor()
    await page.getByText('Nobody, when it goes offline.').waitFor()
    // Whoever has mended something looks again without waiting.
    await button('Try it now').click()
    await page.getByRole('status', { name: 'What was seen' }).getByText('online').waitFor()
  })

  test('what breaks is seen without reloading, and what is repaired', async () => {
    const id = page.url().split('/').at(-1)
    // A change is a reason to look at once: nobody waits a minute for the next check.
    const lookAgain = (confirmations: number) =>
      owner.patch(`/v1/monitors/${id}`, { options: { confirmations, retry_interval: 1 } })
    await target.stop()
    await lookAgain(1)
    await page.locator('.title-line .status', { hasText: 'offline' }).waitFor({ timeout: 60_000 })
    await page.locator('.notice.danger', { hasText: 'Offline for' }).waitFor()
    // Who looks elsewhere sees it by the menu, and by the tab.
    await page.getByRole('link', { name: 'Monitors 1 offline' }).waitFor()
    await page.getByText('How this is decided').click()
    const decided = page.locator('details.section')
    await decided.getByText(/online before/).waitFor()
    await decided.getByText(/^curl /).waitFor()
    expect(await visit.faults()).toEqual([])
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:/)
    await target.start()
    await lookAgain(2)
    await page.locator('.title-line .status', { hasText: 'online' }).waitFor({ timeout: 60_000 })
    await page.getByRole('link', { name: 'Monitors 1 offline' }).waitFor({ state: 'detached' })
    expect(await page.locator('link[rel=icon]').getAttribute('href')).not.toMatch(/^data:/)
    await link('Incidents').first().click()
    await page.getByRole('table', { name: 'Incidents' }).getByText('resolved').first().waitFor()
  })

  test('a field that is wrong is named, and what was typed stays', async () => {
    await link('Monitors').first().click()
    await link('New monitor').click()
    await page.getByLabel('Target').fill('http://127.0.0.1:1/')
    await page.getByRole('spinbutton', { name: /^Interval/ }).fill('3')
    await button('Create and watch').click()
    await page.locator('.field-error').first().waitFor()
    // Who cannot see it is where it is to be mended.
    await page
      .getByRole('spinbutton', { name: /^Interval/ })
      .and(page.locator(':focus'))
      .waitFor()
    expect(await page.getByLabel('Target').inputValue()).toBe('http://127.0.0.1:1/')
    await page.getByRole('spinbutton', { name: /^Interval/ }).fill('60')
    await page.getByLabel('Name').fill('Cart')
    await page.getByText('How to look: http').click()
    await page.getByRole('combobox', { name: 'Auth' }).selectOption('basic')
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password').fill('hunter22')
    await page.getByText('How to judge').click()
    await page.getByRole('textbox', { name: 'Quorum' }).fill('majority')
    expect(await visit.faults()).toEqual([])
    await button('Create and watch').click()
    await page.getByRole('heading', { name: 'Cart', level: 1 }).waitFor()
    const made = (await owner.get(`/v1/monitors/${page.url().split('/').at(-1)}`)).body.data
    const auth = { type: 'basic', username: 'ada', password: 'hunter22' }
    expect(made.options).toMatchObject({ auth, quorum: 'majority' })
    await page.getByText('basic, as ada').waitFor()
    expect(await page.content()).not.toContain('hunter22')
  })

  test('another like it begins with all that it is', async () => {
    await link('Duplicate').click()
    await page.getByRole('heading', { name: 'New monitor' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Name optional' }).inputValue()).toBe('Cart (copy)')
    expect(await page.getByLabel('Target').inputValue()).toBe('http://127.0.0.1:1/')
    expect(await page.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('http')
    await button('Cancel').click()
  })

  test('many are paused at once', async () => {
    await link('Monitors').first().click()
    await page.getByRole('combobox', { name: 'Type' }).selectOption('http')
    // A minute of looking is one hour of the last 24, the others nobody watched.
    await page
      .getByRole('img', { name: /^Last 24 hours: .* 23 not watched$/ })
      .first()
      .waitFor()
    await page.getByLabel('Choose all that are listed').check()
    await button(/^Pause$/).click()
    await page.getByText('2 monitors paused').waitFor()
    await eventually('paused', async () => {
      const { data } = (await owner.get('/v1/monitors?type=http')).body
      return data.every(({ status }: { status: string }) => status === 'paused')
    })
    await page.getByLabel('Choose all that are listed').check()
    await button(/^Resume$/).click()
    await page.getByText('2 monitors resumed').waitFor()
  })
})

describe('how long it takes', () => {
  const minute = 60_000
  const chart = (name: RegExp) => page.getByRole('img', { name })
  const nowhere = { x: 0, y: 0, width: 0, height: 0 }
  const row = (region: string) => page.getByRole('table', { name: 'Regions' }).getByRole('row', { name: region })
  let id: number

  beforeAll(async () => {
    const regions = ['eu-central', 'us-east']
    const { body } = await owner.post('/v1/monitors', {
      name: 'Far',
      type: 'tcp',
      target: 'a.example:22',
      options: { regions },
    })
    id = body.data.id
    const first = Math.floor(Date.now() / minute - 90) * minute
    for (const [at, region] of regions.entries()) {
      const made = await owner.post('/v1/probes', { name: region, region })
      const probe = new Person(world, made.body.data.token)
      await probe.get('/v1/probe/get-checks')
      const results = Array.from({ length: 90 }, (_, index) => ({
        monitor_id: id,
        status: 'online',
        response_time_ms: 20 + 180 * at + (index % 10),
        checked_at: new Date(first + index * minute).toISOString(),
        timings: { resolve_ms: 2, connect_ms: 12 + 150 * at },
      }))
      const told = await probe.post('/v1/probe/check-results', { results })
      expect(told.body.data.every(({ ok }: { ok: boolean }) => ok)).toBe(true)
    }
  })

  /** Over the middle fifth of the chart, with the mouse: again where it was drawn anew meanwhile. */
  async function drag(name: RegExp) {
    await eventually(`zoomed into ${name}`, async () => {
      const { x, y, width, height } = (await chart(name).locator('.u-over').boundingBox({ timeout: 2000 })) ?? nowhere
      await page.mouse.move(x + width * 0.4, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + width * 0.6, y + height / 2, { steps: 4 })
      await page.mouse.up()
      await button('Undo zoom').waitFor({ timeout: 2000 })
      return true
    })
  }

  test('percentiles of all, and a stretch of them by dragging over it', async () => {
    await visit.go(`/monitors/${id}`)
    await chart(/^Response times from/).waitFor()
    await page.getByText(/^180 checks: 180 up, 0 down/).waitFor()
    await drag(/^Response times from/)
    await page.getByText(/^(3[0-9]|4[0-9]) checks: .* for each check/).waitFor()
    await button('Undo zoom').click()
    await page.getByText(/^180 checks/).waitFor()
    // The same without dragging.
    await button('Zoom in').press('Enter')
    await page.getByText(/^(8|9|10)\d checks: .* for each check/).waitFor()
    await button('Earlier').press('Enter')
    await button('Later').press('Enter')
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Later')
    await button('Undo zoom').press('Enter')
    await page.getByText(/^180 checks/).waitFor()
  })

  test('regions beside each other, each of which can be taken away', async () => {
    await button('Regions').click()
    await chart(/^Response times of eu-central, us-east/).waitFor()
    expect(await row('eu-central').locator('td').allTextContents()).toEqual([
      'eu-central',
      '24 ms',
      '29 ms',
      '29 ms',
      '100 %',
      '90',
    ])
    expect((await row('us-east').locator('td').allTextContents())[1]).toBe('204 ms')
    // Only single checks know of regions, and they are kept for a week.
    expect(await button('30 d').count()).toBe(0)
    await button('us-east').press('Enter')
    expect(await button('us-east').getAttribute('aria-pressed')).toBe('false')
    await page.locator('.u-legend .u-off', { hasText: 'us-east' }).waitFor()
    await page.locator('.u-legend .u-label', { hasText: 'us-east' }).click()
    await page.locator('.series-toggle[aria-pressed=true]', { hasText: 'us-east' }).waitFor()
    expect(await visit.faults()).toEqual([])
  })

  test('where the time goes, as one region sees it', async () => {
    await button('Phases').click()
    await chart(/on average resolve 2.0 ms, connect 12 ms/).waitFor()
    await button('us-east').click()
    await chart(/on average resolve 2.0 ms, connect 162 ms/).waitFor()
    await button(/^connect/).click()
    await page.locator('.u-legend .u-off', { hasText: 'connect' }).waitFor()
    expect(await visit.faults()).toEqual([])
    await drag(/^Phases of checks/)
    await button('Undo zoom').click()
    await button('Percentiles').click()
    await button('30 d').waitFor()
    expect(visit.troubles).toEqual([])
  })
})

describe('a status page', () => {
  const shownOrder = () => page.frameLocator('iframe').locator('main').textContent()
  const isBefore = async (first: string, second: string) =>
    eventually(`${first} before ${second}`, async () => {
      const text = await shownOrder()
      return text?.includes(first) && text.indexOf(first) < text.indexOf(second)
    })

  test('is made, filled, and put in order with the keyboard and by dragging, beside the page itself', async () => {
    await owner.post('/v1/monitors', { name: 'Till', type: 'http', target: 'http://127.0.0.1:1/' })
    await owner.post('/v1/monitors', { name: 'Stock', type: 'http', target: 'http://127.0.0.1:1/' })
    await visit.open('/status-pages/new')
    await page.getByLabel('Title').fill('Acme status')
    await button('Create, then choose monitors').click()
    await button('Till').click()
    await button('Take Till off the page').waitFor()
    await button('Stock').click()
    await isBefore('Till', 'Stock')
    await button(/^Move Stock/).press('ArrowUp')
    await isBefore('Stock', 'Till')
    // The grip that was moved keeps the focus: the next key moves it on.
    expect(await page.locator(':focus').getAttribute('aria-label')).toContain('Move Stock')
    await button(/^Move Till/).dragTo(page.locator('.assigned > li').first())
    await isBefore('Till', 'Stock')
  })

  test('takes a shown name at once, and its settings when they are saved', async () => {
    await page.getByLabel('Shown name of Till').fill('Cash desk')
    await page.getByLabel('Shown name of Till').blur()
    await isBefore('Cash desk', 'Stock')
    await page.getByLabel('Language').selectOption('de')
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await owner.get('/v1/status-pages')).body.data[0]).toMatchObject({ slug: 'acme-status', language: 'de' })
    expect(await (await fetch(`${world.url}/status/acme-status`)).text()).toContain('Cash desk')
  })
})

describe("a status page's settings", () => {
  const frame = () => page.frameLocator('iframe')
  const styleOf = (selector: string, name: string) =>
    frame()
      .locator(selector)
      .evaluate((element, what) => globalThis.getComputedStyle(element).getPropertyValue(what), name)
  const openly = async () => (await fetch(`${world.url}/status/acme-status`)).text()

  test('are in the preview as they are typed, and nowhere else before they are saved', async () => {
    const title = frame().getByRole('heading', { level: 1 })
    await page.getByLabel('Title').fill('Wie es steht')
    await title.getByText('Wie es steht').waitFor()
    // A word that is half typed is no title; what was seen stays, and why is said.
    await page.getByLabel('Title').fill('Wi')
    await page.getByText('Shown as it was before: title').waitFor()
    await page.getByLabel('Title').fill('Wie es läuft')
    await title.getByText('Wie es läuft').waitFor()
    await page.getByLabel('Colour').fill('#00aa11')
    await expect.poll(() => styleOf('.monogram', 'background-color')).toBe('rgb(0, 170, 17)')
    await page.getByLabel('Hex value').fill('#aa0011')
    await expect.poll(() => styleOf('.monogram', 'background-color')).toBe('rgb(170, 0, 17)')
    await page.getByLabel('Layout').selectOption('compact-dark')
    await expect.poll(() => styleOf('body', 'background-color')).toBe('rgb(12, 15, 20)')
    expect(await styleOf('body', 'font-size')).toBe('14px')
    await page.getByLabel('Language').selectOption('ar')
    await expect.poll(() => frame().locator('html').getAttribute('dir')).toBe('rtl')
    await page.getByLabel('Description').fill('Was wir betreiben.\nhttps://acme.example/')
    await frame().getByText('Was wir betreiben.').waitFor()
    expect(await frame().getByRole('link', { name: 'https://acme.example/' }).getAttribute('target')).toBe('_blank')
    const logo = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle r="20" cx="20" cy="20"/></svg>'
    await page
      .getByLabel('Logo')
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) })
    await expect
      .poll(() =>
        frame()
          .locator('.logo')
          .evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth),
      )
      .toBe(40)
    await page.getByText('not saved').waitFor()
    expect(await openly()).toContain('Acme status')
    expect(await openly()).not.toMatch(/#aa0011|Wie es|Was wir|class="logo"/)
    expect((await owner.get('/v1/status-pages')).body.data[0]).toMatchObject({ title: 'Acme status', language: 'de' })
    await button('Save').click()
    await page.getByText('not saved').waitFor({ state: 'detached' })
    const published = await eventually('it is published', async () => {
      const text = await openly()
      return text.includes('Wie es läuft') && text
    })
    expect(published).toMatch(/<html lang="ar" dir="rtl">.*--brand:#aa0011.*class="logo".*Was wir betreiben\.\n/s)
    expect(visit.troubles).toEqual([])
  })

  test('can be seen while the page is hidden', async () => {
    await page.getByRole('checkbox', { name: 'Public' }).uncheck()
    await button('Save').click()
    await page.getByText('Nobody but your team sees this').waitFor()
    await frame().getByRole('heading', { level: 1 }).getByText('Wie es läuft').waitFor()
    expect((await fetch(`${world.url}/status/acme-status`)).status).toBe(404)
  })
})

describe('people and programs', () => {
  test('a channel is tried, and the log shows what was sent', async () => {
    const receiver = new Receiver()
    const url = await receiver.start()
    await visit.open('/channels/new')
    await page.getByLabel('Name').fill('On call')
    await page.getByLabel('URL').fill(url)
    await button('Create').click()
    await page.getByRole('dialog').getByText('whsec_').waitFor()
    await button('I have kept it').click()
    await button('Send a test').click()
    await page.locator('[role=status] .badge', { hasText: 'delivered' }).waitFor()
    // Others of the team may have been told of meanwhile.
    expect(receiver.received.map(({ body }) => body.event)).toContain('channel.test')
    await button('channel.test').click()
    await page.getByRole('dialog').getByText('"channel.test"').waitFor()
    await page.keyboard.press('Escape')
    // Each line says whom it is about, and leads there.
    const monitor = (await owner.post('/v1/monitors', { name: 'Bell', type: 'tcp', target: '127.0.0.1:1' })).body.data
    await owner.post('/v1/incidents', { title: 'It rings', monitor_ids: [monitor.id] })
    await eventually('it was sent', async () =>
      receiver.received.some(({ body }) => body.event === 'incident.created' && body.data.title === 'It rings'),
    )
    await button('Refresh').click()
    const log = page.getByRole('table', { name: 'Deliveries' })
    expect(await log.getByRole('link', { name: 'It rings' }).getAttribute('href')).toMatch(/^\/app\/incidents\/\d+$/)
    await log
      .getByRole('row', { name: /It rings/ })
      .getByRole('button')
      .click()
    await page.getByRole('dialog').getByRole('link', { name: 'Bell' }).waitFor()
    expect(await visit.faults()).toEqual([])
    await page.keyboard.press('Escape')
    await receiver.stop()
    await button('Send a test').click()
    await page.locator('[role=status] .badge', { hasText: 'not delivered' }).waitFor()
  })

  test('a probe is provisioned with a command that is shown once', async () => {
    await visit.open('/probes')
    await button('Provision a probe').first().click()
    await page.getByLabel('Name').fill('berlin-1')
    await page.getByRole('textbox', { name: /^Region/ }).fill('eu-central')
    await page.getByRole('dialog').getByRole('button', { name: 'Provision', exact: true }).click()
    const command = await page.getByRole('dialog').locator('.copy code').first().textContent()
    const token = /WATCHPOST_PROBE_TOKEN=(\S+)/.exec(command ?? '')?.[1] ?? ''
    expect((await new Person(world, token).get('/v1/probe/get-checks')).status).toBe(200)
    await button('I have kept it').click()
    await page
      .getByRole('row', { name: /berlin-1/ })
      .getByText('eu-central')
      .waitFor()
    expect(await page.content()).not.toContain(token)
  })

  test('somebody is invited, joins, and as a viewer is offered nothing that would fail', async () => {
    await visit.open('/team')
    await button('Invite somebody').click()
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByRole('dialog').getByLabel('Role').selectOption('viewer')
    await button('Invite', page).last().click()
    const invitation = (await page.getByRole('dialog').locator('.copy code').textContent()) ?? ''
    await button('I have kept it').click()

    const guest = await Visit.begin(browser, world)
    await guest.page.goto(invitation)
    await guest.page.getByRole('heading', { name: /^Join/ }).waitFor()
    await guest.page.getByLabel('Choose a password').fill('correct horse battery')
    await button('Make account and join', guest.page).click()
    await guest.page.getByText('viewer of').waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('row', { name: /grace@example\.com.*Accept invitation/ }).waitFor()
    const offers = /^(new|create|plan|provision|invite|delete|pause|edit|report|revoke|remove|save|rename|send)/i
    for (const path of ['/monitors', '/incidents', '/maintenance', '/status-pages', '/channels', '/probes', '/apps']) {
      await guest.open(path)
      await guest.page.locator('main h1').waitFor()
      await guest.page.locator('.skeleton').waitFor({ state: 'detached' })
      const names = await guest.page.locator('main :is(button, a.button)').allTextContents()
      expect(
        names.filter(name => offers.test(name.trim())),
        path,
      ).toEqual([])
    }
    // Nor at an address that somebody sent.
    for (const path of ['/monitors/new', '/incidents/new', '/channels/new', '/maintenance/new', '/status-pages/new']) {
      await guest.go(path)
      await guest.page.getByRole('heading', { name: 'You are viewer of this team' }).waitFor()
      expect(await guest.page.locator('main form').count(), path).toBe(0)
    }
    expect(await guest.faults()).toEqual([])
    expect(guest.troubles).toEqual([])
    await guest.context.close()
  })

  test('a token is made, shown once, works, and is revoked', async () => {
    await visit.open('/tokens')
    await button('New token').press('Enter')
    // One came to type its name.
    await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('deploy')
    await page.keyboard.press('Enter')
    const token = (await page.getByRole('dialog').locator('.copy code').first().textContent()) ?? ''
    await button('I have kept it').click()
    expect((await new Person(world, token).get('/v1/monitors')).status).toBe(200)
    await button('Revoke deploy').press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter')
    await button('Revoke deploy').waitFor({ state: 'detached' })
    // The row has taken its button along: who works with keys goes on beside it.
    await page.locator('main :focus').waitFor()
    expect((await new Person(world, token).get('/v1/monitors')).status).toBe(401)
  })
})

describe('an app', () => {
  const example = (name: string) =>
    JSON.parse(readFileSync(`packages/server/src/ingest/testing/otlp-examples/${name}.json`, 'utf8'))
  let send: (signal: string, body: unknown) => Promise<Response>

  test('is made, and sends with what the page gives to copy', async () => {
    await visit.open('/apps')
    await button('New app').first().click()
    await page.getByLabel('Name').fill('Shop')
    await button('Create').click()
    const snippet = (await page.locator('code', { hasText: 'OTEL_EXPORTER_OTLP_ENDPOINT' }).textContent()) ?? ''
    const [, url] = /ENDPOINT=(\S+)/.exec(snippet) ?? []
    const [, token] = /X-App-Token=(\S+)/.exec(snippet) ?? []
    send = (signal, body) =>
      fetch(`${url}/v1/${signal}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-app-token': token ?? '' },
        body: JSON.stringify(body),
      })
    const now = (text: string) =>
      text.replace(/"(\w*[tT]imeUnixNano)":"\d+"/g, (_, name) => `"${name}":"${Date.now() - 1000}000000"`)
    for (const signal of ['trace', 'logs', 'metrics']) {
      const body = JSON.parse(now(JSON.stringify(example(signal))))
      expect((await send(signal === 'trace' ? 'traces' : signal, body)).status).toBe(200)
    }
  })

  test('what stands out among traces is seen before it is read, and leads there', async () => {
    const now = Date.now()
    const spans = [20, 900].map((ms, at) => ({
      traceId: String(at + 1).repeat(32),
      spanId: String(at + 1).repeat(16),
      name: ms > 100 ? 'slow one' : 'quick one',
      kind: 2,
      startTimeUnixNano: `${now - 5000 * (at + 1)}000000`,
      endTimeUnixNano: `${now - 5000 * (at + 1) + ms}000000`,
    }))
    await send('traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] })
    await link('Traces').click()
    await link('slow one').waitFor()
    await page.locator('.durations circle', { hasText: 'slow one' }).click()
    await page.waitForURL(`**/traces/${'2'.repeat(32)}`)
  })

  test('a trace is found and read, with its logs', async () => {
    await link('Traces').click()
    await link("I'm a server span").click()
    await button(/I'm a server span/).click()
    await page.getByRole('heading', { name: 'Attributes' }).first().waitFor()
    await page.locator('.log-lines').getByText('Example log record').first().waitFor()
  })

  test('logs are searched, and come in by themselves', async () => {
    await link('Logs').click()
    await page.getByLabel('Words in the log').fill('nothing has this')
    await page.getByText('No record is like that').waitFor()
    await page.getByLabel('Words in the log').fill('')
    await page.getByText('Example log record').first().waitFor()
    await button('Live tail').click()
    const body = example('logs')
    body.resourceLogs[0].scopeLogs[0].logRecords = [
      {
        timeUnixNano: `${Date.now()}000000`,
        severityNumber: 17,
        severityText: 'ERROR',
        body: { stringValue: 'just now' },
      },
    ]
    await send('logs', body)
    await page.locator('.log-lines').getByText('just now').waitFor()
  })

  test('a metric is drawn', async () => {
    await link('Metrics').click()
    await button(/my.gauge/).click()
    await page.getByRole('img', { name: /my.gauge/ }).waitFor()
    expect(visit.troubles).toEqual([])
  })

  test('what a page measures with the given script is seen by page, by error and by visit', async () => {
    await link('Overview').click()
    const script = (await page.locator('code', { hasText: 'rum/v1.js' }).textContent()) ?? ''
    const key = /data-api-key="([^"]+)"/.exec(script)?.[1]
    const url = 'https://shop.example.com/cart'
    const events = [
      { type: 'page_load', url, duration_ms: 812, session_id: 'one' },
      { type: 'web_vital', url, name: 'LCP', value: 4400, session_id: 'one' },
      { type: 'error', url, name: 'TypeError', message: 'price is undefined', stack: 'at total', session_id: 'one' },
    ]
    const sent = await fetch(`${world.url}/v1/ingest?api_key=${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(events),
    })
    expect(sent.status).toBe(200)
    await link('Visitors').click()
    await page.getByRole('table', { name: 'Web vitals' }).locator('.vital.bad', { hasText: '4.40 s' }).waitFor()
    await button('TypeError').click()
    await page.getByRole('dialog').getByText('at total').waitFor()
    await page.keyboard.press('Escape')
  })
})

describe('from a failed check to its trace', () => {
  let service: Server

  test('one click leads to the spans of the service that was checked', async () => {
    const { id, app_token } = (await owner.post('/api/observability/apps', { name: 'Traced' })).body.data
    const seen: string[] = []
    service = createServer((request, response) => {
      const parent = String(request.headers.traceparent ?? '')
      seen.push(parent)
      response.writeHead(503).end()
    })
    await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
    const made = await owner.post('/v1/monitors', { name: 'Failing', type: 'http', target: url })
    const parent = await eventually('a check', async () => seen[0])
    const [, traceId, spanId] = parent.split('-')
    const now = Date.now()
    const span = {
      traceId,
      spanId: 'eee19b7ec3c1b174',
      parentSpanId: spanId,
      name: 'GET /',
      kind: 2,
      startTimeUnixNano: `${now}000000`,
      endTimeUnixNano: `${now + 5}000000`,
    }
    await fetch(`${world.url}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-app-token': app_token },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    })
    await visit.open(`/monitors/${made.body.data.id}`)
    const checks = page.getByRole('table', { name: 'Checks' })
    await checks
      .getByRole('link', { name: /^Trace/ })
      .last()
      .click()
    await page.waitForURL(`**/apps/${id}/traces/${traceId}`)
    await button(/GET \//).waitFor()
    service.close()
  })
})
