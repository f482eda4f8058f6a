import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChromium, Visit } from '../chromium.ts'
import { Person } from '../people.ts'
import { httpTarget, type Target } from '../targets.ts'
import { eventually, type Running, World } from '../world.ts'

// A probe dies and comes back, and somebody looks at the dashboard meanwhile: unknown is not down, and not up.
let world: World
let browser: Browser
let visit: Visit
let page: Page
let target: Target
let probe: Running
let token: string
let shop: { id: number }
let till: { id: number }

beforeAll(async () => {
  world = await World.create()
  await world.server()
  const owner = new Person(world, world.credentials.api_token)
  const made = async (path: string, body: object) => (await owner.post(path, body)).body.data
  token = (await made('/v1/probes', { name: 'berlin-1', region: 'eu-central' })).token
  target = await httpTarget()
  // What falls silent soonest: 42 seconds after the last look.
  const soon = { interval: 10, timeout: 1, options: { confirmations: 1 } }
  shop = await made('/v1/monitors', { name: 'Shop', ...target.monitor, ...soon })
  till = await made('/v1/monitors', { name: 'Till', type: 'tcp', target: '127.0.0.1:9', ...soon })
  const { id } = await made('/v1/status-pages', { title: 'Acme', slug: 'acme' })
  for (const monitor of [shop, till]) await made(`/v1/status-pages/${id}/monitors`, { monitor_id: monitor.id })
  browser = await startChromium()
  visit = await Visit.begin(browser, world)
  page = visit.page
  await visit.logIn(world.credentials)
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
  await target?.stop()
})

const filter = (name: RegExp) => page.getByRole('button', { name })
const rows = () => page.locator('.rows .row-name a').allTextContents()
const titled = (state: string) => page.locator('.title-line .status', { hasText: state })

test('where no probe runs, a new monitor says so, and that one is needed', async () => {
  await visit.go(`/monitors/${shop.id}`)
  await titled('pending').waitFor()
  await page.getByText('The first check is on its way.').waitFor()
  // Others may stand beside it for a moment: the network of this host changes while other tests run.
  const notice = page.locator('.notice.warn', { hasText: 'Nobody has looked at this yet.' })
  await notice.waitFor({ timeout: 100_000 })
  await notice.getByRole('link', { name: 'See the probes' }).waitFor()
  expect(await page.getByText('The first check is on its way.').count()).toBe(0)
  probe = await world.probe(token)
  await titled('online').waitFor({ timeout: 60_000 })
  await notice.waitFor({ state: 'detached' })
  await visit.go('/monitors')
})

test('up and down while the probe lives', async () => {
  await filter(/^2 online$/).waitFor({ timeout: 60_000 })
  await filter(/^1 offline$/).waitFor()
  expect(await filter(/not watched/).count()).toBe(0)
})

test('when it dies, both become not watched before the eyes of who looks', async () => {
  await probe.stop('SIGKILL')
  await filter(/^2 not watched$/).waitFor({ timeout: 120_000 })
  await filter(/not watched/).click()
  expect(await rows()).toEqual(['Shop', 'Till'])
  expect(await page.locator('.rows .status').allTextContents()).toEqual(['not watched', 'not watched'])
  expect(await visit.faults()).toEqual([])
})

test('its page says since when, which probe looked, and where to mend it', async () => {
  await page.getByRole('link', { name: 'Shop', exact: true }).click()
  await titled('not watched').waitFor()
  const notice = page.locator('.notice.warn')
  await notice.getByText('Nobody watches this now.').waitFor()
  await notice.getByText(/The probe berlin-1 \(eu-central\) looked last, and has not been heard from/).waitFor()
  expect(await notice.textContent()).toContain('It was online then')
  expect(await page.locator('.notice.danger').count()).toBe(0)
  expect(await visit.faults()).toEqual([])
  await visit.look({ width: 390, dark: true })
  expect(await visit.faults(['color-contrast', 'target-size'])).toEqual([])
  await visit.look({})
  await notice.getByRole('link', { name: 'See the probes' }).click()
  await page.getByText('2 monitors are watched by nobody now.').waitFor()
  await page
    .getByRole('row', { name: /berlin-1/ })
    .getByText('silent')
    .waitFor({ timeout: 60_000 })
})

test('so do the palette, its incident, and the editor of the status page', async () => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('till')
  await page.getByRole('option', { name: /Till/ }).getByRole('img', { name: 'not watched' }).waitFor()
  await page.keyboard.press('Escape')
  await visit.go('/incidents')
  await page.getByRole('link', { name: /Till/ }).first().click()
  await page.locator('.settings .status', { hasText: 'not watched' }).waitFor()
  await visit.go('/status-pages/1')
  await page.locator('.assigned').getByRole('img', { name: 'not watched' }).nth(1).waitFor()
  await eventually('the page itself says it', async () => {
    const text = await page.frameLocator('iframe').locator('main').textContent()
    return text?.includes('Nothing is being watched') || text?.includes('Not watched')
  })
})

test('when the probe comes back, so does the state, without reloading', async () => {
  await visit.go(`/monitors/${shop.id}`)
  await titled('not watched').waitFor()
  probe = await world.probe(token)
  await titled('online').waitFor({ timeout: 60_000 })
  await page.locator('.notice.warn').waitFor({ state: 'detached' })
  await visit.go('/monitors')
  await filter(/^2 online$/).waitFor({ timeout: 60_000 })
  await filter(/^1 offline$/).waitFor()
  expect(await filter(/not watched/).count()).toBe(0)
  expect(visit.troubles).toEqual([])
})
