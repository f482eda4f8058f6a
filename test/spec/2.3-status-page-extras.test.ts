import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { ask } from '../people.ts'

const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`

/** One request as a browser or a proxy sends it: under a host name, and uncompressed only if asked so. */
function askRaw(url: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    request(url + path, { headers }, response => {
      const parts: Buffer[] = []
      response.on('data', part => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(parts),
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

onEachEngine(stage => {
  let pageId: number
  let monitorId: number
  let incidentId: number
  const get = (path: string, headers: Record<string, string> = {}) =>
    ask(stage.world.url, 'GET', path, undefined, headers)

  beforeAll(async () => {
    const { owner } = stage.people
    const monitor = { name: 'internal', type: 'tcp', target: 'db.internal:5432', options: { confirmations: 1 } }
    monitorId = (await owner.post('/v1/monitors', monitor)).body.data.id
    const page = { slug: 'extras', title: 'Acme & <Sons>', description: 'All we do' }
    pageId = (await owner.post('/v1/status-pages', page)).body.data.id
    await owner.post(`/v1/status-pages/${pageId}/monitors`, { monitor_id: monitorId, display_name: 'Shop' })
    const incident = { title: 'Slow <checkout>', severity: 'minor', monitor_ids: [monitorId] }
    incidentId = (await owner.post('/v1/incidents', incident)).body.data.id
    await owner.post(`/v1/incidents/${incidentId}/updates`, { message: 'We found "it" & mend', status: 'identified' })
  })

  test('the page tells the timeline of an incident, and carries no request to anywhere else', async () => {
    const { body, headers } = await get('/status/extras')
    expect(body).toContain('We found &quot;it&quot; &amp; mend')
    expect(body).toContain(`id="incident-${incidentId}"`)
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'sha256-/)
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/)
  })

  test('a slash at the end of its address is no other address', async () => {
    expect((await get('/status/extras/?from=mail')).body).toBe((await get('/status/extras')).body)
    expect((await get('/status/nobody/')).status).toBe(404)
  })

  test('it travels compressed, and is 304 for who holds it', async () => {
    const packed = await askRaw(stage.world.url, '/status/extras', { 'accept-encoding': 'br, gzip' })
    const plain = await askRaw(stage.world.url, '/status/extras')
    expect([packed.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['gzip', undefined])
    expect(gunzipSync(packed.body).toString()).toBe(plain.body.toString())
    expect(packed.body.length).toBeLessThan(12_000)
    const held = await askRaw(stage.world.url, '/status/extras', { 'if-none-match': plain.headers.etag as string })
    expect([held.status, held.body.length]).toEqual([304, 0])
    const unwanted = await askRaw(stage.world.url, '/status/extras', { 'accept-encoding': 'gzip;q=0' })
    expect(unwanted.headers['content-encoding']).toBeUndefined()
  })

  describe('feeds', () => {
    test.each([
      ['rss', 'application/rss+xml'],
      ['atom', 'application/atom+xml'],
      ['json', 'application/feed+json'],
    ])('%s: as its reader wants it, with ids that stay, and 304 for who holds it', async (kind, media) => {
      const first = await get(`/status/extras/feed.${kind}`)
      expect(first.status).toBe(200)
      expect(first.headers.get('content-type')).toBe(`${media}; charset=utf-8`)
      const held = await get(`/status/extras/feed.${kind}`, { 'if-none-match': first.headers.get('etag') as string })
      expect(held.status).toBe(304)
      const ids = (text: string) => text.match(/urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
      expect(ids(first.body).length).toBeGreaterThan(0)
      await stage.people.owner.post(`/v1/incidents/${incidentId}/updates`, { message: `For ${kind}` })
      const second = await get(`/status/extras/feed.${kind}`, { 'if-none-match': first.headers.get('etag') as string })
      expect(second.status).toBe(200)
      expect(ids(second.body)).toEqual(ids(first.body))
      expect(second.body).toContain(`For ${kind}`)
      expect(second.body).toContain('Acme &')
    })
  })

  describe('badges', () => {
    test('of the page and of one monitor on it, with a label of one’s own', async () => {
      const page = await get('/status/extras/badge/status.svg')
      expect(page.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
      expect(page.body).toContain('aria-label="Status: Incident in progress"')
      const one = await get(`/status/extras/badge/status.svg?monitor=${monitorId}&label=<b>`)
      expect(one.body).toContain('aria-label="&lt;b&gt;: Not watched"')
      expect((await get('/status/extras/badge/uptime.svg')).body).toContain('No data yet')
      expect(page.headers.get('content-security-policy')).toContain('sandbox')
    })

    test('of a monitor that is not on the page there is none, and of nonsense neither', async () => {
      expect((await get('/status/extras/badge/status.svg?monitor=999999')).status).toBe(404)
      expect((await get('/status/extras/badge/uptime.svg?monitor=x')).status).toBe(422)
    })
  })

  test('the widget may be framed by any site, the page by its own only', async () => {
    const widget = await get('/status/extras/widget')
    expect(widget.headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect(widget.headers.get('set-cookie')).toBeNull()
    expect(widget.body).toContain('Incident in progress')
    const page = await get('/status/extras')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  })

  test('who links to the page is shown a picture of how it stands, which reads no SVG either', async () => {
    expect((await get('/status/extras/card.svg')).body).toContain('Acme &amp; &lt;Sons&gt;')
    const [, address] = /<meta property="og:image" content="([^"]+)">/.exec((await get('/status/extras')).body) ?? []
    expect(address).toBe(`${stage.world.url}/status/extras/card.png`)
    const picture = await fetch(address as string)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect((await picture.bytes()).subarray(1, 4)).toEqual(new TextEncoder().encode('PNG'))
    const tag = picture.headers.get('etag') as string
    expect((await fetch(address as string, { headers: { 'if-none-match': tag } })).status).toBe(304)
  })

  test('summary.json is what pollers of Statuspage.io read', async () => {
    const { body, headers } = await get('/status/extras/api/v2/summary.json')
    expect(body).toMatchObject({
      page: { id: String(pageId), name: 'Acme & <Sons>', time_zone: 'Etc/UTC' },
      status: { indicator: 'minor', description: 'Incident in progress' },
      // Nobody watches it: it has no word there.
      components: [],
      scheduled_maintenances: [],
    })
    const [incident] = body.incidents
    expect(incident).toMatchObject({ id: String(incidentId), impact: 'minor', status: 'identified', resolved_at: null })
    expect(incident.incident_updates.at(-1).body).toBe('We found "it" & mend')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    // When it was computed may be later by the second question.
    const page = { ...body.page, updated_at: expect.any(String) }
    expect((await get('/status/extras/summary.json')).body.page).toEqual(page)
    expect((await get('/status/extras/api/v2/status.json')).body).toEqual({ page, status: body.status })
  })

  test('a logo is shown from the page’s own site, and can run nothing', async () => {
    const { owner } = stage.people
    expect((await get('/status/extras/logo')).status).toBe(404)
    const answer = await owner.patch(`/v1/status-pages/${pageId}`, { logo })
    expect(answer.body.data.logo).toBe(logo)
    expect((await get('/status/extras')).body).toMatch(/<img class="logo" src="\/status\/extras\/logo\?v=\w+" alt="">/)
    const picture = await get('/status/extras/logo')
    expect(picture.headers.get('content-type')).toBe('image/svg+xml')
    expect(picture.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/)
    for (const wrong of ['https://evil.example/x.png', 'data:text/html;base64,PGI+', `${logo}"`, 'x'.repeat(20_000)]) {
      const { status, body } = await owner.patch(`/v1/status-pages/${pageId}`, { logo: wrong })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['logo']])
    }
  })

  test('everything of a private page is gone', async () => {
    const { owner } = stage.people
    await owner.post('/v1/status-pages', { slug: 'hidden', title: 'Hidden', is_public: false, logo })
    const paths = [
      'feed.rss',
      'feed.atom',
      'feed.json',
      'badge/status.svg',
      'badge/uptime.svg',
      'widget',
      'card.svg',
      'card.png',
    ]
    for (const path of [...paths, 'logo', 'summary.json', 'api/v2/summary.json', 'api/v2/status.json', 'subscribe']) {
      expect([path, (await get(`/status/hidden/${path}`)).status]).toEqual([path, 404])
    }
  })

  describe('a domain of its own', () => {
    const root = (host: string, path = '/') => askRaw(stage.world.url, path, { host })
    const set = (custom_domain: string | null) =>
      stage.people.owner.patch(`/v1/status-pages/${pageId}`, { custom_domain })

    test('makes the page the whole site under that name', async () => {
      const answer = await set('Status.Acme.example')
      expect([answer.status, answer.body.data.custom_domain]).toEqual([200, 'status.acme.example'])
      for (const host of ['status.acme.example', 'STATUS.acme.example:8443']) {
        const { status, body } = await root(host)
        expect([status, body.toString()]).toEqual([200, expect.stringContaining('Acme &amp; &lt;Sons&gt;')])
      }
      const summary = JSON.parse((await root('status.acme.example', '/api/v2/summary.json')).body.toString())
      expect(summary.page.url).toBe('https://status.acme.example/')
      expect((await root('status.acme.example', '/feed.rss')).body.toString()).toContain('<rss')
      expect((await root('other.acme.example')).body.toString()).not.toContain('Sons')
    })

    test('belongs to one page, and never to the server itself', async () => {
      const { stranger } = stage.people
      const taken = await stranger.post('/v1/status-pages', {
        slug: 'theirs',
        title: 'Theirs',
        custom_domain: 'status.acme.example',
      })
      expect([taken.status, Object.keys(taken.body.errors)]).toEqual([422, ['custom_domain']])
      for (const wrong of ['acme', '127.0.0.1', 'a b.example', 'https://a.example', '-a.example', 'a..example']) {
        expect([wrong, (await set(wrong)).status]).toEqual([wrong, 422])
      }
    })

    test('is set by owners and admins; members change the rest, viewers and strangers nothing', async () => {
      const { member, viewer, stranger } = stage.people
      const path = `/v1/status-pages/${pageId}`
      const status = async (who: typeof member, body: object) => (await who.patch(path, body)).status
      expect(await status(member, { custom_domain: 'other.example.org' })).toBe(403)
      expect(await status(member, { custom_domain: null })).toBe(403)
      expect(await status(member, { custom_domain: 'status.acme.example', title: 'Acme & <Sons>' })).toBe(200)
      expect(await status(viewer, { custom_domain: null })).toBe(403)
      expect(await status(stranger, { custom_domain: null })).toBe(404)
      const put = { slug: 'extras', title: 'Acme & <Sons>' }
      expect((await member.put(path, put)).status).toBe(403)
    })

    test('is gone at once when it is taken away, or the page turns private', async () => {
      await stage.people.owner.patch(`/v1/status-pages/${pageId}`, { is_public: false })
      expect((await root('status.acme.example')).body.toString()).not.toContain('Sons')
      await stage.people.owner.patch(`/v1/status-pages/${pageId}`, { is_public: true })
      expect((await root('status.acme.example')).body.toString()).toContain('Sons')
      await set(null)
      expect((await root('status.acme.example')).body.toString()).not.toContain('Sons')
    })
  })
})
