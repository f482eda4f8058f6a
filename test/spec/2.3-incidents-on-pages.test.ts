import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, castOf, type People } from '../people.ts'
import { World } from '../world.ts'

let world: World
let people: People
let shop: number
let mail: number
let hidden: number
let elsewhere: number
let page: number

beforeAll(async () => {
  world = await World.create()
  await world.server()
  people = await castOf(world)
  const monitor = async (name: string, more: object = {}) => {
    const body = { name, type: 'tcp', target: 'db.internal:22', ...more }
    return (await people.owner.post('/v1/monitors', body)).body.data.id
  }
  shop = await monitor('Shop')
  mail = await monitor('Internal mail')
  hidden = await monitor('Hidden', { is_active: false })
  elsewhere = await monitor('Elsewhere')
  page = await newPage('acme')
  await assign({ monitor_id: shop })
  await assign({ monitor_id: mail, display_name: 'Mail' })
  await assign({ monitor_id: hidden })
})
afterAll(() => world.close())

const newPage = async (slug: string) =>
  (await people.owner.post('/v1/status-pages', { slug, title: 'Acme' })).body.data.id
const assign = (body: object) => people.owner.post(`/v1/status-pages/${page}/monitors`, body)
const incident = async (body: object) =>
  (await people.owner.post('/v1/incidents', { title: 'It is slow', ...body })).body.data
const published = async (slug = 'acme') => (await ask(world.url, 'GET', `/api/status/${slug}`)).body
/** A payload is kept for a second. */
const shown = (expected: unknown) => expect.poll(async () => (await published()).incidents).toEqual(expected)
const forget = async () => {
  const { body } = await people.owner.get('/v1/incidents?per_page=100')
  for (const { id } of body.data) await people.owner.delete(`/v1/incidents/${id}`)
}

test('one of a monitor on the page is shown, under the name that the page gives it, and no more than is documented', async () => {
  const made = await incident({ monitor_ids: [mail, shop], description: 'The disk of db.internal is full' })
  await people.owner.post(`/v1/incidents/${made.id}/updates`, { message: 'Ask Joe', status: 'identified' })
  await shown([
    {
      id: made.id,
      monitor_name: 'Mail',
      title: 'It is slow',
      status: 'identified',
      severity: 'major',
      started_at: made.started_at,
      resolved_at: null,
    },
  ])
  expect(JSON.stringify((await published()).incidents)).not.toMatch(/Internal|db\.internal|Joe/)
  await forget()
})

test('monitors that are inactive or not on the page are neither named nor a reason to show it', async () => {
  await incident({ title: 'Not here', monitor_ids: [hidden, elsewhere] })
  await incident({ title: 'Of nothing' })
  const both = await incident({ title: 'Here', monitor_ids: [hidden, elsewhere, shop] })
  await shown([expect.objectContaining({ id: both.id, monitor_name: 'Shop' })])
  await forget()
})

test('one that names the page is shown there, and nowhere else', async () => {
  await newPage('other')
  const named = await incident({ status_page_ids: [page], monitor_ids: [elsewhere] })
  await shown([expect.objectContaining({ id: named.id, monitor_name: '' })])
  expect((await published('other')).incidents).toEqual([])
  await forget()
})

test("another team's incidents are not shown", async () => {
  await people.stranger.post('/v1/incidents', { title: 'Theirs', status_page_ids: [page] })
  await people.stranger.post('/v1/incidents', { title: 'Theirs', monitor_ids: [shop] })
  await shown([])
})

test('ten at most, open ones first, then the latest', async () => {
  const started = (day: number) => ({
    monitor_ids: [shop],
    started_at: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`,
  })
  for (let day = 1; day <= 12; day++) await incident({ ...started(day), title: `Over ${day}`, status: 'resolved' })
  await incident({ ...started(1), title: 'Open for long' })
  await incident({ ...started(20), title: 'Open' })
  const titles = ['Open', 'Open for long', ...[12, 11, 10, 9, 8, 7, 6, 5].map(day => `Over ${day}`)]
  await shown(titles.map(title => expect.objectContaining({ title })))
  const { incidents } = await published()
  expect(incidents.at(-1)).toMatchObject({ status: 'resolved', resolved_at: expect.stringMatching(/Z$/) })
})

test('the page for people shows them, escaped', async () => {
  await forget()
  await incident({ title: '<b>Checkout</b> is slow', monitor_ids: [mail] })
  await expect.poll(async () => (await ask(world.url, 'GET', '/status/acme')).body).toContain('&lt;b&gt;Checkout')
})
