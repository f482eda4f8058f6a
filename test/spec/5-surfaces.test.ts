import { request } from 'node:http'
import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, castOf, type People } from '../people.ts'
import { type Running, World } from '../world.ts'

const apps = '/api/observability/apps'
const site = 'https://shop.example.com'

interface App {
  id: number
  app_token: string
  api_key: string
}

/** One request under a host name of one's choice, which fetch may not be asked for. */
function askHost(url: string, host: string, method: string, path: string, headers: Record<string, string> = {}) {
  return new Promise<number>((resolve, reject) => {
    const sent = request(url + path, { method, headers: { host, ...headers } }, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject).end()
  })
}

describe.each(['sqlite', 'postgres'] as const)('on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let server: Running
  let otlpUrl: string
  let people: People
  let open: App
  let listed: App
  let probe: string

  beforeAll(async () => {
    place = await newPlace(engine)
    world = await World.create(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl })
    server = await world.server()
    otlpUrl = (await server.event<{ otlp_url: string }>('listening')).otlp_url
    people = await castOf(world)
    open = await newApp([])
    listed = await newApp([site, 'https://*.example.org', 'http://localhost:3000'])
    probe = (await people.owner.post('/v1/probes', { name: 'p' })).body.data.token
  })
  afterAll(async () => {
    await world?.close()
    await place?.remove()
  })

  const newApp = async (allowed_origins: string[]): Promise<App> =>
    (await people.owner.post(apps, { name: 'Shop', allowed_origins })).body.data
  const otlp = (headers: Record<string, string>, signal = 'traces', url = otlpUrl) =>
    ask(url, 'POST', `/v1/${signal}`, {}, headers)
  const rum = (key: string, headers: Record<string, string> = {}) =>
    ask(world.url, 'POST', `/v1/ingest?api_key=${key}`, { type: 'page_load', url: `${site}/` }, headers)

  describe('a credential of one surface is nothing on another', () => {
    const credentials = () => ({
      'an API token': world.credentials.api_token,
      'a probe token': probe,
      'an app token': open.app_token,
      'a RUM key': open.api_key,
    })
    type Credential = keyof ReturnType<typeof credentials>

    const bearer = (method: string, path: string) => (token: string) =>
      ask(world.url, method, path, undefined, { authorization: `Bearer ${token}` })
    const surfaces: [string, Credential, number, (token: string) => Promise<{ status: number }>][] = [
      ['the User API', 'an API token', 200, bearer('GET', '/v1/monitors')],
      ['apps', 'an API token', 200, bearer('GET', apps)],
      ['the Probe API', 'a probe token', 200, bearer('GET', '/v1/probe/get-checks')],
      ['OTLP', 'an app token', 200, token => otlp({ 'x-app-token': token })],
      ['OTLP on the main address', 'an app token', 200, token => otlp({ 'x-app-token': token }, 'logs', world.url)],
      ['RUM', 'a RUM key', 200, key => rum(key)],
    ]

    test.each(surfaces)('%s takes %s only', async (_, right, status, send) => {
      for (const [name, token] of Object.entries(credentials())) {
        expect((await send(token)).status, name).toBe(name === right ? status : 401)
      }
    })

    test('nor is a right one at the wrong place', async () => {
      const { app_token, api_key } = open
      const authorization = `Bearer ${app_token}`
      for (const url of [otlpUrl, world.url]) {
        expect((await otlp({ authorization }, 'traces', url)).status).toBe(401)
        expect((await ask(url, 'POST', `/v1/traces?api_key=${api_key}`, {})).status).toBe(401)
        expect((await ask(url, 'POST', `/v1/traces?x-app-token=${app_token}`, {})).status).toBe(401)
      }
      const path = '/v1/ingest'
      const wrong = { 'x-app-token': app_token, api_key, authorization: `Bearer ${api_key}` }
      for (const [name, value] of Object.entries(wrong)) {
        expect((await ask(world.url, 'POST', path, { api_key }, { [name]: value })).status, name).toBe(401)
      }
      expect((await ask(world.url, 'GET', `/v1/monitors?api_key=${api_key}`)).status).toBe(401)
      expect((await ask(world.url, 'GET', '/v1/monitors', undefined, { 'x-app-token': app_token })).status).toBe(401)
    })
  })

  describe('OTLP', () => {
    test.each(['traces', 'logs', 'metrics'])(
      '%s: no token and a wrong one are 401 before anything else',
      async signal => {
        for (const url of [otlpUrl, world.url]) {
          for (const token of [undefined, '', 'nonsense', `${open.app_token}x`, open.app_token.toLowerCase()]) {
            const headers = { 'content-type': 'text/odd', ...(token === undefined ? {} : { 'x-app-token': token }) }
            const answer = await ask(url, 'POST', `/v1/${signal}`, 'not json', headers)
            expect([answer.status, answer.body.code]).toEqual([401, 16])
            expect(answer.headers.get('www-authenticate')).toBe('App-Token')
            expect(answer.headers.get('access-control-allow-origin')).toBe('*')
          }
        }
      },
    )

    test('two tokens are none', async () => {
      const headers = ['x-app-token', open.app_token, 'x-app-token', open.app_token]
      const status = await new Promise((resolve, reject) => {
        const sent = request(
          `${otlpUrl}/v1/traces`,
          { method: 'POST', headers: ['host', 'x', ...headers] },
          response => {
            response.resume()
            resolve(response.statusCode)
          },
        )
        sent.on('error', reject).end()
      })
      expect(status).toBe(401)
    })

    test.each([
      ['application/json', '{}'],
      ['application/x-protobuf', ''],
    ])('a right token is answered as it asked, for %s', async (type, body) => {
      for (const url of [otlpUrl, world.url]) {
        const headers = { 'x-app-token': open.app_token, 'content-type': type }
        const answer = await ask(url, 'POST', '/v1/traces', body, headers)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      }
    })

    test('a preflight needs no token, and may send the header', async () => {
      for (const url of [otlpUrl, world.url]) {
        const headers = { origin: site, 'access-control-request-method': 'POST' }
        const answer = await ask(url, 'OPTIONS', '/v1/traces', undefined, headers)
        expect(answer.status).toBe(204)
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
        expect(answer.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, PATCH, DELETE, OPTIONS')
        expect(answer.headers.get('access-control-allow-headers')).toBe('Content-Type, Authorization, X-App-Token')
      }
      const api = await ask(world.url, 'OPTIONS', '/v1/monitors', undefined, { origin: site })
      expect(api.headers.get('access-control-allow-headers')).toBe('Content-Type, Authorization')
    })

    test('other methods are 405, other paths of its address 404', async () => {
      for (const url of [otlpUrl, world.url]) {
        const answer = await ask(url, 'GET', '/v1/traces')
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
      }
      for (const path of ['/v1/monitors', apps, '/v1/ingest', '/status/acme', '/']) {
        expect((await ask(otlpUrl, 'GET', path)).status, path).toBe(404)
      }
    })
  })

  describe('RUM', () => {
    const cors = ({ headers }: { headers: Headers }) => headers.get('access-control-allow-origin')
    const preflight = (key: string, origin?: string) =>
      ask(world.url, 'OPTIONS', `/v1/ingest?api_key=${key}`, undefined, {
        'access-control-request-method': 'POST',
        ...(origin === undefined ? {} : { origin }),
      })

    test('no key, a wrong one and two of them are 401, which any page may read', async () => {
      const key = open.api_key
      for (const query of ['', '?api_key=', '?api_key=nonsense', `?api_key=${key}&api_key=${key}`, `?API_KEY=${key}`]) {
        const answer = await ask(world.url, 'POST', `/v1/ingest${query}`, 'not json', { origin: 'https://evil.io' })
        expect([answer.status, answer.body.code, cors(answer)], query).toEqual([401, 'unauthorized', '*'])
        expect(answer.headers.get('www-authenticate')).toBe('Api-Key')
      }
    })

    test.each(['application/json', 'text/plain'])('a right key is judged before the body, for %s', async type => {
      const answer = await ask(world.url, 'POST', `/v1/ingest?api_key=${open.api_key}`, '{}', { 'content-type': type })
      expect([answer.status, answer.body.code]).toEqual([400, 'bad_request'])
    })

    test('with an empty list any page may send, and no page may, too', async () => {
      for (const origin of ['https://evil.io', 'null', undefined]) {
        const answer = await rum(open.api_key, origin === undefined ? {} : { origin })
        expect([answer.status, cors(answer)]).toEqual([200, '*'])
        expect((await preflight(open.api_key, origin)).status).toBe(204)
      }
    })

    test.each([site, 'https://a.example.org', 'https://b.a.example.org', 'http://localhost:3000'])(
      '%s is on the list: it may send, and read what it is told',
      async origin => {
        const sent = await rum(listed.api_key, { origin })
        expect([sent.status, cors(sent), sent.headers.get('vary')]).toEqual([200, origin, 'Origin'])
        const before = await preflight(listed.api_key, origin)
        expect([before.status, cors(before), before.headers.get('vary')]).toEqual([204, origin, 'Origin'])
        expect(before.headers.get('access-control-allow-methods')).toContain('POST')
        expect(before.headers.get('access-control-allow-headers')).toContain('Content-Type')
      },
    )

    test.each([
      'https://evil.io',
      'https://evil-shop.example.com',
      'https://shop.example.com.evil.io',
      'http://shop.example.com',
      'https://shop.example.com:8443',
      'https://www.shop.example.com',
      'https://example.org',
      'https://evilexample.org',
      'http://localhost:3001',
      'null',
      undefined,
    ])('%s is not: 403, without a word it could read', async origin => {
      const answers = [await rum(listed.api_key, origin === undefined ? {} : { origin })]
      answers.push(await preflight(listed.api_key, origin))
      for (const answer of answers) {
        expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
        const names = [...answer.headers.keys()].filter(name => name.startsWith('access-control'))
        expect([names, answer.headers.get('vary')]).toEqual([[], 'Origin'])
      }
    })

    test('a preflight comes before the key is judged', async () => {
      for (const key of ['', 'nonsense', open.app_token]) {
        const answer = await preflight(key, 'https://evil.io')
        expect([answer.status, cors(answer)]).toEqual([204, '*'])
      }
    })

    test('a change of the list holds at once', async () => {
      const app = await newApp([site])
      expect((await rum(app.api_key, { origin: 'https://new.example' })).status).toBe(403)
      await people.owner.patch(`${apps}/${app.id}`, { allowed_origins: ['https://new.example'] })
      expect((await rum(app.api_key, { origin: 'https://new.example' })).status).toBe(200)
      expect((await rum(app.api_key, { origin: site })).status).toBe(403)
    })
  })

  test('a rotated key stops at once, the new one starts, and the other goes on', async () => {
    const app = await newApp([])
    const { body } = await people.owner.post(`${apps}/${app.id}/rotate`, { key: 'app_token' })
    expect((await otlp({ 'x-app-token': app.app_token })).status).toBe(401)
    expect((await otlp({ 'x-app-token': body.data.app_token })).status).toBe(200)
    expect((await rum(app.api_key)).status).toBe(200)
    const again = await people.owner.post(`${apps}/${app.id}/rotate`, { key: 'api_key' })
    expect((await rum(app.api_key)).status).toBe(401)
    expect((await rum(again.body.data.api_key)).status).toBe(200)
    expect((await otlp({ 'x-app-token': body.data.app_token })).status).toBe(200)
  })

  test('the keys of a deleted app stop at once', async () => {
    const app = await newApp([])
    await people.owner.delete(`${apps}/${app.id}`)
    expect((await otlp({ 'x-app-token': app.app_token })).status).toBe(401)
    expect((await rum(app.api_key)).status).toBe(401)
  })
})

describe('a surface with a host name of its own', () => {
  let world: World
  let app: App
  let probe: string
  let token: string
  let otlpUrl: string

  beforeAll(async () => {
    const names = { API: 'api.test', OTLP: 'otlp.test', RUM: 'rum.test', SITE: 'www.test' }
    const env = Object.entries(names).map(([name, host]) => [`WATCHPOST_${name}_HOST`, host])
    world = await World.create({ env: { ...Object.fromEntries(env), WATCHPOST_RATE_LIMIT_ANONYMOUS_HOUR: '10000' } })
    const server = await world.server()
    otlpUrl = (await server.event<{ otlp_url: string }>('listening')).otlp_url
    token = world.credentials.api_token
    const body = async (path: string) => {
      const sent = {
        method: 'POST',
        headers: { host: 'api.test', ...bearer(token), 'content-type': 'application/json' },
      }
      return new Promise<{ data: App & { token: string } }>((resolve, reject) => {
        const asked = request(world.url + path, sent, async response => {
          let text = ''
          for await (const chunk of response) text += chunk
          resolve(JSON.parse(text))
        })
        asked.on('error', reject).end(JSON.stringify({ name: 'x' }))
      })
    }
    app = (await body(apps)).data
    probe = (await body('/v1/probes')).data.token
  })
  afterAll(() => world?.close())

  const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
  const hosts = ['api.test', 'otlp.test', 'rum.test', 'www.test', 'other.test', '127.0.0.1']
  /** The hosts where it is not 401. */
  const servedOn = async (method: string, path: string, headers: Record<string, string>) => {
    const statuses = await Promise.all(hosts.map(host => askHost(world.url, host, method, path, headers)))
    return hosts.filter((_, index) => statuses[index] !== 401)
  }

  test('is served there and nowhere else', async () => {
    expect(await servedOn('GET', '/v1/monitors', bearer(token))).toEqual(['api.test'])
    expect(await servedOn('GET', '/v1/status-pages', bearer(token))).toEqual(['api.test'])
    expect(await servedOn('GET', apps, bearer(token))).toEqual(['api.test', 'www.test'])
    expect(await servedOn('POST', '/v1/traces', { 'x-app-token': app.app_token })).toEqual(['otlp.test'])
    expect(await servedOn('POST', `/v1/ingest?api_key=${app.api_key}`, {})).toEqual(['rum.test'])
  })

  test('the Probe API is on the site, too, and by address, for the probe that starts with the server', async () => {
    const served = await servedOn('GET', '/v1/probe/get-checks', bearer(probe))
    expect(served).toEqual(['api.test', 'www.test', '127.0.0.1'])
  })

  test('what takes no credential is everywhere', async () => {
    for (const path of ['/api/status/acme', '/status/acme', '/healthz', '/openapi.json']) {
      expect(await servedOn('GET', path, {}), path).toEqual(hosts)
    }
  })

  test('telemetry on an address of its own is asked for under any name', async () => {
    for (const host of hosts) {
      expect(await askHost(otlpUrl, host, 'POST', '/v1/traces', { 'x-app-token': app.app_token })).toBe(415)
    }
  })

  test('a preflight is answered on every host', async () => {
    for (const path of ['/v1/monitors', '/v1/traces', '/v1/ingest']) {
      for (const host of hosts) expect(await askHost(world.url, host, 'OPTIONS', path, { origin: site })).toBe(204)
    }
  })
})

test('who guesses keys is limited, on every surface of the main address, and may read that, too', async () => {
  const world = await World.create({ env: { WATCHPOST_RATE_LIMIT_ANONYMOUS_HOUR: '3' } })
  await world.server()
  const guess = (path: string) => ask(world.url, 'POST', path, {}, { 'x-app-token': 'wp_app_guess', origin: site })
  for (const path of ['/v1/traces', '/v1/ingest?api_key=wp_rum_guess', '/v1/logs']) {
    expect((await guess(path)).status).toBe(401)
  }
  for (const path of ['/v1/metrics', '/v1/ingest?api_key=wp_rum_guess', '/v1/monitors']) {
    const answer = await guess(path)
    expect([answer.status, answer.body.code]).toEqual([429, path === '/v1/metrics' ? 8 : 'rate_limit_exceeded'])
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
  }
  await world.close()
})
