import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, Person } from '../people.ts'
import { World } from '../world.ts'

let world: World
let owner: Person

beforeAll(async () => {
  world = await World.create()
  await world.server()
  owner = new Person(world, world.credentials.api_token)
})
afterAll(() => world.close())

test('an error has both documented shapes at once', async () => {
  const { status, body } = await owner.post('/v1/monitors', { name: '' })
  expect(status).toBe(422)
  expect(body).toEqual({
    success: false,
    error: true,
    message: 'Validation failed',
    code: 'validation_failed',
    status: 422,
    errors: { name: 'must not be empty', target: 'is required', type: 'is required' },
  })
})

describe('400 is for what is no request at all', () => {
  test.each([
    ['no JSON', 'not json', 'Invalid JSON input', 'invalid_json'],
    ['half of JSON', '{"name":', 'Invalid JSON input', 'invalid_json'],
    ['a list', '[]', 'The body must be a JSON object', 'bad_request'],
    ['a word', '"x"', 'The body must be a JSON object', 'bad_request'],
    ['null', 'null', 'The body must be a JSON object', 'bad_request'],
    ['nothing', '', 'A JSON body is required', 'bad_request'],
    ['none of the required fields', '{"interval":60}', expect.stringContaining('name, target, type'), 'bad_request'],
    ['an empty object', '{}', expect.stringContaining('name, target, type'), 'bad_request'],
  ])('%s', async (_, sent, message, code) => {
    const { status, body } = await owner.post('/v1/monitors', sent)
    expect([status, body.message, body.code]).toEqual([400, message, code])
  })
})

test('a path nobody knows is 404', async () => {
  for (const path of ['/v1/nothing', '/v2/monitors', '/v1', '/v1/monitors/1/nothing']) {
    const { status, body } = await owner.get(path)
    expect([status, body.code], path).toEqual([404, 'not_found'])
  }
})

test('a browser that comes to a path nobody knows is given a page with a way on; the API answers it as anybody', async () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  for (const path of ['/dashboard', '/monitors/1', '/%', '/<script>']) {
    const response = await fetch(world.url + path, { headers: { accept } })
    expect([response.status, response.headers.get('content-type')], path).toEqual([404, 'text/html; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(await response.text()).toContain('<a href="/">')
  }
  for (const path of ['/v1/nothing', '/api/nothing', '/app/assets/nothing.js']) {
    const asked = { headers: { accept: path.startsWith('/app') ? '*/*' : accept } }
    expect((await (await fetch(world.url + path, asked)).json()).code, path).toBe('not_found')
  }
  const posted = await fetch(`${world.url}/nothing`, { method: 'POST', headers: { accept } })
  expect([posted.status, (await posted.json()).code]).toEqual([404, 'not_found'])
})

test('another method on a known path is 405 and says which there are', async () => {
  const { status, body, headers } = await owner.patch('/v1/monitors', {})
  expect([status, body.code]).toEqual([405, 'method_not_allowed'])
  expect(headers.get('allow')).toBe('GET, POST, HEAD')
})

test('another media type is 415', async () => {
  const { status, body } = await owner.ask('POST', '/v1/monitors', 'name=x', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect([status, body.code]).toEqual([415, 'unsupported_media_type'])
})

test('parameters of the media type do not matter', async () => {
  const body = { name: 'x', type: 'ping', target: 'a.example' }
  expect(
    (await owner.ask('POST', '/v1/monitors', body, { 'content-type': 'application/json; charset=utf-8' })).status,
  ).toBe(201)
})

test('more than a mebibyte is 413', async () => {
  const { status, body } = await owner.post('/v1/monitors', { name: 'x'.repeat(1_100_000) })
  expect([status, body.code]).toEqual([413, 'payload_too_large'])
})

test('HEAD is like GET, without the body', async () => {
  const { status, body, headers } = await owner.ask('HEAD', '/v1/monitors')
  expect([status, body]).toEqual([200, ''])
  expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
})

test('every answer names its request', async () => {
  expect((await owner.get('/v1/monitors')).headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/)
  const given = await owner.ask('GET', '/v1/nothing', undefined, { 'x-request-id': 'mine-1' })
  expect(given.headers.get('x-request-id')).toBe('mine-1')
})

describe('CORS', () => {
  test('a preflight is answered before anybody is asked who they are', async () => {
    const { status, headers } = await ask(world.url, 'OPTIONS', '/v1/monitors/1')
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, PATCH, DELETE, OPTIONS')
    expect(headers.get('access-control-allow-headers')).toBe('Content-Type, Authorization')
  })

  test('errors may be read by any origin too', async () => {
    for (const path of ['/v1/monitors', '/v1/nothing', '/api/status/none']) {
      expect((await ask(world.url, 'GET', path)).headers.get('access-control-allow-origin')).toBe('*')
    }
  })
})

describe('what cannot be read', () => {
  test.each(['/v1/monitors/%ff', '/%', '/v1/%zz', '/api/status/%ff'])('%s is 404 in the one shape', async path => {
    const { status, body, headers } = await ask(world.url, 'GET', path)
    expect([status, body.code, body.success, body.error]).toEqual([404, 'not_found', false, true])
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('a body that is no UTF-8 is 400, one that is compressed 415', async () => {
    const send = (bytes: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) =>
      fetch(`${world.url}/v1/monitors`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${world.credentials.api_token}`,
          'content-type': 'application/json',
          ...more,
        },
        body: bytes,
      })
    const odd = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    const garbled = await send(new Uint8Array(odd))
    expect([garbled.status, ((await garbled.json()) as { message: string }).message]).toEqual([
      400,
      'Invalid JSON input',
    ])
    expect((await send(new Uint8Array(odd), { 'content-encoding': 'gzip' })).status).toBe(415)
  })
})

test('a slug that several want at the same moment is given to one, and the others are told of the field', async () => {
  const wanted = Array.from({ length: 8 }, () => ({ slug: 'wanted', title: 'Wanted' }))
  const answers = await Promise.all(wanted.map(page => owner.post('/v1/status-pages', page)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(422)])
  for (const { status, body } of answers) if (status === 422) expect(Object.keys(body.errors)).toEqual(['slug'])
  expect((await owner.post('/v1/status-pages', { slug: 'odd', title: 'Odd', language: 'zz' })).status).toBe(422)
})
