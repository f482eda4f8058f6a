import { beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { ask } from '../people.ts'

const day = 86_400_000

onEachEngine(stage => {
  let pageId: number
  let monitorId: number
  let first: number
  const get = (path: string, headers: Record<string, string> = {}) =>
    ask(stage.world.url, 'GET', path, undefined, headers)
  const titles = (body: unknown) => [...String(body).matchAll(/<bdi>(Trouble \d+)<\/bdi>/g)].map(([, title]) => title)
  const trouble = (from: number, count: number) => Array.from({ length: count }, (_, at) => `Trouble ${from - at}`)

  beforeAll(async () => {
    const { owner } = stage.people
    const made = async (path: string, body: object) => (await owner.post(path, body)).body.data.id
    monitorId = await made('/v1/monitors', { name: 'internal', type: 'tcp', target: 'db.internal:5432' })
    pageId = await made('/v1/status-pages', { slug: 'past', title: 'Acme & <Sons>' })
    await owner.post(`/v1/status-pages/${pageId}/monitors`, { monitor_id: monitorId, display_name: 'Shop' })
    const other = await made('/v1/monitors', { name: 'secret', type: 'tcp', target: 'db.internal:5433' })
    await made('/v1/incidents', { title: 'Of what is not shown', severity: 'minor', monitor_ids: [other] })
    const start = Date.UTC(2026, 0, 1)
    for (let n = 1; n <= 45; n++) {
      const id = await made('/v1/incidents', {
        title: `Trouble ${n}`,
        severity: 'minor',
        status: n === 3 ? 'identified' : 'resolved',
        monitor_ids: [monitorId],
        started_at: new Date(start + n * day).toISOString(),
        ...(n === 3 ? {} : { resolved_at: new Date(start + n * day + 60_000).toISOString() }),
      })
      if (n === 1) first = id
    }
    await owner.post(`/v1/incidents/${first}/updates`, { message: 'It was the <cable>', status: 'resolved' })
  })

  test('the page leads to all that ever happened on it, the latest first, by month', async () => {
    expect((await get('/status/past')).body).toContain('href="/status/past/history"')
    const { status, body, headers } = await get('/status/past/history')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(titles(body)).toEqual(trouble(45, 20))
    expect(body).toContain('<h2>February 2026</h2>')
    expect(body).toContain('Acme &amp; &lt;Sons&gt;')
    expect(body).toContain('Shop')
    expect(body).not.toMatch(/internal|secret|not shown/)
  })

  test('it comes in parts, each with a way to the next, and one that there is not is 404', async () => {
    const [one, two, three] = await Promise.all(
      ['', '?page=2', '?page=3'].map(part => get(`/status/past/history${part}`)),
    )
    expect(one?.body).not.toContain('rel="prev"')
    expect(one?.body).toContain('rel="next" href="/status/past/history?page=2"')
    expect(titles(two?.body)).toEqual(trouble(25, 20))
    expect(two?.body).toContain('rel="prev" href="/status/past/history"')
    expect(titles(three?.body)).toEqual(trouble(5, 5))
    expect(three?.body).toContain('It was the &lt;cable&gt;')
    expect(three?.body).not.toContain('rel="next"')
    for (const part of ['4', '6', '10000']) expect((await get(`/status/past/history?page=${part}`)).status).toBe(404)
    for (const part of ['0', '-1', 'x', '1e9'])
      expect((await get(`/status/past/history?page=${part}`)).status).toBe(422)
    expect((await get('/status/past/history?from=mail')).status).toBe(200)
  })

  test('it is 304 for who holds it, carries no script, and is kept by nobody without asking', async () => {
    const { headers } = await get('/status/past/history?page=3')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'none'/)
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/)
    const tag = headers.get('etag') as string
    expect((await get('/status/past/history?page=3', { 'if-none-match': tag })).status).toBe(304)
    await stage.people.owner.patch(`/v1/incidents/${first}`, { title: 'Trouble 100' })
    const changed = await get('/status/past/history?page=3', { 'if-none-match': tag })
    expect([changed.status, titles(changed.body).at(-1)]).toEqual([200, 'Trouble 100'])
  })

  test('a page where nothing happened says so; one that is private, or not there, has no history', async () => {
    const { owner } = stage.people
    await owner.post('/v1/status-pages', { slug: 'calm', title: 'Calm' })
    expect((await get('/status/calm/history')).body).toContain('No incidents to report.')
    expect((await get('/status/calm/history?page=2')).status).toBe(404)
    expect((await get('/status/nobody/history')).status).toBe(404)
    await owner.patch(`/v1/status-pages/${pageId}`, { is_public: false })
    expect((await get('/status/past/history')).status).toBe(404)
    expect((await get('/status/past/history?page=9')).status).toBe(404)
  })
})
