import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChromium, Visit } from '../chromium.ts'
import { ask, Person } from '../people.ts'
import { World } from '../world.ts'

// What is more than fits: into a page of a list, a screen, an answer.
let world: World
let browser: Browser
let visit: Visit
let monitorId: number
let owner: Person

beforeAll(async () => {
  world = await World.create()
  await world.server()
  owner = new Person(world, world.credentials.api_token)
  const settings = { name: 'Shop', type: 'tcp', target: 'shop.example:443' }
  monitorId = (await owner.post('/v1/monitors', settings)).body.data.id
  for (let n = 1; n <= 100; n++) {
    expect((await owner.post('/v1/probes', { name: `Probe ${n}`, region: 'near' })).status).toBe(201)
  }
  await owner.post('/v1/probes', { name: 'Zanzibar', region: 'far' })
  browser = await startChromium()
  visit = await Visit.begin(browser, world)
  await visit.logIn(world.credentials)
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
})

/** Looked at by whoever asks for it. */
async function picture(name: string): Promise<void> {
  const folder = process.env.WATCHPOST_SCREENSHOTS
  if (folder !== undefined) await visit.page.screenshot({ path: `${folder}/${name}.png` })
}

test('a monitor can be watched from where the last probe of many is', async () => {
  await visit.go(`/monitors/${monitorId}/edit`)
  await visit.page.getByText('How to judge').click()
  await visit.page.getByRole('checkbox', { name: 'far' }).waitFor()
  const another = visit.page.getByRole('textbox', { name: 'Another region' })
  await another.fill('x'.repeat(300))
  await another.press('Enter')
  await visit.page.getByRole('button', { name: 'Save' }).click()
  await visit.page.locator('.field-error').waitFor()
  expect(await another.evaluate(input => input.matches(':focus[aria-invalid=true][aria-describedby]'))).toBe(true)
  expect(await visit.page.getByRole('alert').textContent()).toMatch(/^Regions must/)
  visit.page.once('dialog', dialog => dialog.accept())
})

test('all probes are listed, however many', async () => {
  await visit.go('/probes')
  await visit.page.getByRole('row', { name: /Zanzibar/ }).waitFor()
  expect(await visit.page.getByRole('row', { name: /Probe \d+/ }).count()).toBe(100)
})

test('on a phone monitors are chosen, too, and many paused and deleted at once', async () => {
  const { page } = visit
  await owner.post('/v1/monitors', { name: 'Till', type: 'tcp', target: 'till.example:443' })
  await visit.look({ width: 390 })
  await visit.open('/monitors?type=tcp')
  await page.getByText('Till', { exact: true }).waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await page.getByRole('button', { name: 'Choose' }).click()
  // Where a finger would hit the name, which leads to the monitor otherwise.
  await page.getByText('Till', { exact: true }).click({ force: true })
  await page.getByText('1 monitor chosen').waitFor()
  expect(page.url()).toContain('/monitors?type=tcp')
  await page.getByRole('checkbox', { name: 'Choose Shop' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('2 monitors chosen').waitFor()
  expect(await visit.faults()).toEqual([])
  await picture('choose-on-a-phone')
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('2 monitors paused').waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await page.getByText('Till', { exact: true }).click({ position: { x: 5, y: 5 } })
  await page.getByRole('heading', { name: 'Till' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Choose' }).click()
  await page.getByLabel('Choose all that are listed').check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByText('2 monitors deleted').waitFor()
  await visit.look({})
})

test('a trace that was cut says so beside what there is of it', async () => {
  const { page } = visit
  const app = (await owner.post('/api/observability/apps', { name: 'Shop' })).body.data
  const example = readFileSync('packages/server/src/ingest/testing/otlp-examples/trace.json', 'utf8')
  await ask(world.url, 'POST', '/v1/traces', example, { 'x-app-token': app.app_token })
  const id = '5b8efff798038103d269b633813fc60c'
  await page.route(`**/api/observability/apps/*/traces/${id}`, async route => {
    const answer = await route.fetch()
    const body = await answer.json()
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, complete: false } } })
  })
  await visit.open(`/apps/${app.id}/traces/${id}`)
  await page.getByText('This is not the whole trace.').waitFor()
  expect(await visit.faults()).toEqual([])
  await picture('trace-cut')
})

test('an error leads to the visits that had it, and to where it is among what happened in them', async () => {
  const { page } = visit
  const app = (await owner.post('/api/observability/apps', { name: 'Shop' })).body.data
  const url = 'https://shop.example.com/cart'
  const begun = Date.now() - 60_000
  const stack = 'TypeError: price is undefined\n    at total (https://shop.example.com/assets/cart-3fa9b2c1.js:1:20391)'
  const boom = { type: 'error', url, name: 'TypeError', message: 'price is undefined', stack }
  const tell = (session_id: string, events: object[]) => {
    const told = events.map((event, at) => ({ url, session_id, timestamp: begun + at * 300, ...event }))
    return ask(world.url, 'POST', `/v1/ingest?api_key=${app.api_key}&sent_at=${Date.now()}`, told, agent)
  }
  const clicks = Array.from({ length: 120 }, (_, n) => ({ type: 'click', target: `button#more-${n}` }))
  await tell('calm', [
    { type: 'page_load', duration_ms: 90 },
    { ...boom, name: 'RangeError' },
  ])
  await tell('long', [{ type: 'page_load', duration_ms: 812 }, ...clicks, boom, ...clicks.slice(0, 5), boom])
  await tell('short', [{ type: 'page_load', duration_ms: 700 }, boom])

  await visit.open(`/apps/${app.id}/rum`)
  const errors = page.getByRole('table', { name: 'Errors' })
  const row = errors.getByRole('row', { name: /TypeError/ })
  await row.waitFor()
  await picture('errors')
  await visit.look({ width: 390, dark: true })
  await errors.evaluate(table => table.scrollIntoView({ block: 'center' }))
  await picture('errors-on-a-phone')
  await visit.look({})
  await row.getByRole('link', { name: /those with this error/ }).focus()
  await page.keyboard.press('Enter')
  const visits = page.getByRole('table', { name: 'Visits' })
  await page.getByRole('heading', { name: 'Visits with this error, newest first' }).waitFor()
  await visits.getByRole('link').nth(1).waitFor()
  expect([await visits.getByRole('link').count(), await errors.getByRole('row').count()]).toEqual([2, 2])
  expect(await visit.faults()).toEqual([])
  await picture('visits-with-an-error')
  await visit.look({ width: 390, dark: true })
  expect(await visit.faults()).toEqual([])
  await picture('visits-with-an-error-on-a-phone')

  // The error comes after more events than are read at once.
  await visits.getByRole('link').nth(1).click()
  const found = page.locator('.found')
  await page.locator('.found:focus', { hasText: 'The error you came for, 1 of 2' }).waitFor()
  expect(await found.first().evaluate(inWindow)).toBe(true)
  expect(await visit.faults()).toEqual([])
  await picture('error-in-a-visit-on-a-phone')
  await visit.look({})
  await picture('error-in-a-visit')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('.found:focus', { hasText: 'The error you came for, 2 of 2' }).waitFor()
  expect(await visit.faults()).toEqual([])
  await page.goBack()
  await page.getByRole('button', { name: 'Only one error' }).click()
  await page.getByRole('heading', { name: 'Visits, newest first' }).waitFor()
  await visits.getByRole('link').nth(2).waitFor()
  // From what is known of the error, too.
  await errors.getByRole('button', { name: 'TypeError' }).click()
  await page.getByRole('dialog').getByRole('link', { name: '2 visits' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Visits with this error, newest first' }).waitFor()
  await visits.getByRole('link').first().click()
  await page.locator('.found:focus', { hasText: 'The error you came for' }).waitFor()
  expect(await found.getByRole('button').count()).toBe(0)
  expect(visit.troubles).toEqual([])
})

const agent = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
}
const inWindow = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
}
