import { checkTypes as words } from '@watchpost/contract'
import { describe, expect, test } from 'vitest'
import { type CheckType, checkTypes, TargetError } from './index.ts'
import { runWithin } from './run-check.ts'
import { run } from './testing/run.ts'
import { tcpServer } from './testing/servers.ts'
import { optionsSchema, validateCheck } from './validate-check.ts'

test('every type of the contract has its line', () => {
  expect(Object.keys(checkTypes).sort()).toEqual([...words].sort())
})

describe('a target', () => {
  test.each([
    ['http', 'http://example.com/'],
    ['http', 'https://example.com/'],
    ['https', 'https://example.com/'],
    ['tcp', 'example.com:5432'],
    ['ping', 'example.com'],
    ['ssl', 'example.com'],
    ['ssl', 'example.com:8443'],
    ['dns', '_dmarc.example.com'],
  ])('of type %s may be %s', (type, target) => {
    expect(validateCheck({ type, target, options: {} })).toEqual({})
  })

  test.each([
    ['http', 'example.com'],
    ['http', 'ftp://example.com/'],
    ['https', 'http://example.com/'],
    ['tcp', 'example.com'],
    ['ping', '-f'],
    ['ping', 'https://example.com'],
    ['ssl', 'https://example.com'],
    ['dns', 'example.com:53'],
    ['dns', 42],
  ])('of type %s must not be %s', (type, target) => {
    expect(validateCheck({ type, target })).toEqual({ target: expect.stringMatching(/^must /) })
  })

  test('of an unknown type is not looked at', () => {
    const message = 'must be one of http, https, ping, tcp, ssl, dns'
    expect(validateCheck({ type: 'server', target: 'x' })).toEqual({ type: message })
    expect(validateCheck({ type: 'constructor', target: 'x' })).toEqual({ type: message })
  })
})

describe('options', () => {
  const targets: Record<string, string> = {
    http: 'http://example.com/',
    tcp: 'example.com:1',
    ping: 'example.com',
    ssl: 'example.com',
    dns: 'example.com',
  }

  test.each([
    [
      'http',
      {
        headers: { 'X-A': 'b' },
        body: '',
        auth: { type: 'basic', username: 'u', password: 'p' },
        expected_status: [200, '300-399', '404'],
        keyword: 'a',
        keyword_absent: 'b',
        body_regex: '^a',
        json: [
          { path: '$.a', equals: null },
          { path: '$.b', contains: 'c' },
          { path: '$.d', exists: false },
        ],
        min_body_bytes: 0,
        max_response_time_ms: 500,
        follow_redirects: false,
        max_redirects: 0,
        ip_family: 'any',
        min_tls_version: 'TLSv1.3',
        allow_downgrade: true,
      },
    ],
    ['http', { auth: { type: 'bearer', token: 't' }, ip_family: 6 }],
    ['tcp', { send: 'a', expect: 'b', tls: true }],
    ['ping', { count: 5, max_loss_percent: 12.5, size: 100 }],
    [
      'ssl',
      {
        port: 8443,
        servername: 'example.com',
        min_days_left: 0,
        expected_issuer: 'x',
        allow_self_signed: true,
        min_key_bits: 4096,
      },
    ],
    [
      'dns',
      {
        record_type: 'MX',
        resolver: '127.0.0.1:5353',
        transport: 'tcp',
        expected_answers: ['a'],
        expected_rcode: 'NXDOMAIN',
      },
    ],
    ['dns', { confirmations: 3, retry_interval: 10 }],
  ])('of type %s may be %j', (type, options) => {
    expect(validateCheck({ type, target: targets[type], options })).toEqual({})
  })

  test.each([
    ['ping', { count: 0 }, { 'options.count': 'must be between 1 and 20' }],
    ['ping', { count: 1.5 }, { 'options.count': 'must be a whole number between 1 and 20' }],
    ['ping', { count: '3' }, { 'options.count': 'must be a whole number between 1 and 20' }],
    ['ping', { max_loss_percent: 101 }, { 'options.max_loss_percent': 'must be between 0 and 100' }],
    ['ping', { cuont: 3 }, { 'options.cuont': 'unknown option' }],
    ['ping', { constructor: 3 }, { 'options.constructor': 'unknown option' }],
    ['ping', { confirmations: 11 }, { 'options.confirmations': 'must be between 1 and 10' }],
    ['ping', { regions: [] }, { 'options.regions': 'must be a list such as ["eu-central","us-east"]' }],
    ['ping', { regions: ['eu', 'eu'] }, { 'options.regions': 'must be a list such as ["eu-central","us-east"]' }],
    ['ping', { quorum: 'most' }, { 'options.quorum': 'must be "any" or "majority" or "all" or 2' }],
    ['tcp', { tls: 'yes' }, { 'options.tls': 'must be true or false' }],
    ['tcp', { expect: '' }, { 'options.expect': 'must not be empty' }],
    ['tcp', { expect: 'x'.repeat(1025) }, { 'options.expect': 'must have at most 1024 characters' }],
    ['dns', { transport: 'http' }, { 'options.transport': 'must be one of udp, tcp' }],
    ['dns', { resolver: '127.0.0.1:0' }, { 'options.resolver': expect.stringMatching(/^must have a port between/) }],
    ['ssl', { servername: '-x' }, { 'options.servername': 'must not start with "-"' }],
    ['http', { ip_family: 5 }, { 'options.ip_family': 'must be one of 4, 6, any' }],
    ['http', { expected_status: ['2xx'] }, { 'options.expected_status': 'must be a list such as [200,"300-399"]' }],
    [
      'http',
      { expected_status: ['300-200'] },
      { 'options.expected_status': 'must have ranges that go up; 300-200 goes down' },
    ],
    ['http', { headers: { 'a b': 'c' } }, { 'options.headers': 'must have valid header names; "a b" is none' }],
    [
      'http',
      { headers: { a: 'b\r\nc: d' } },
      { 'options.headers': 'must have a value without line breaks and control characters for a' },
    ],
    [
      'http',
      { headers: { 'Content-Length': '1' } },
      { 'options.headers': 'must not set Content-Length: the check sets it itself' },
    ],
    ['http', { auth: { type: 'digest' } }, { 'options.auth': expect.stringMatching(/^must be an object such as/) }],
    [
      'http',
      { body_regex: '(' },
      { 'options.body_regex': expect.stringMatching(/^must be a valid regular expression/) },
    ],
    [
      'http',
      { json: [{ path: 'a.b', exists: true }] },
      { 'options.json': 'must have JSONPath (RFC 9535) paths, such as $.status; a.b is none' },
    ],
    ['http', { json: [{ path: '$.a' }] }, { 'options.json': 'must have one of equals, contains and exists for $.a' }],
    ['http', [], { options: 'must be an object' }],
  ])('of type %s must not be %j', (type, options, errors) => {
    expect(validateCheck({ type, target: targets[type], options })).toEqual(errors)
  })

  test('that are wrong are all named at once, with the target', () => {
    const options = { nope: 1, max_redirects: 99, body_regex: '(', min_body_bytes: -1, keyword: 1, confirmations: 0 }
    expect(Object.keys(validateCheck({ type: 'http', target: 'x', options })).sort()).toEqual([
      'options.body_regex',
      'options.confirmations',
      'options.keyword',
      'options.max_redirects',
      'options.min_body_bytes',
      'options.nope',
      'target',
    ])
  })

  test.each(words)('of type %s are described, for forms and for the API document', type => {
    const schema = JSON.parse(JSON.stringify(optionsSchema(type)))
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(schema).not.toHaveProperty('required')
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['confirmations', 'retry_interval']))
  })
})

describe('a check', () => {
  const type = (look: CheckType['run']): CheckType => ({ ...checkTypes.tcp, run: look })
  const check = {
    type: 'tcp',
    target: 'example.com:1',
    method: 'get',
    timeout: 1,
    ssl_verify: true,
    options: {},
  } as const

  test('ends shortly after its deadline even if the type overlooks it', async () => {
    const started = performance.now()
    const outcome = await runWithin(
      type(() => new Promise(() => {})),
      { ...check, timeout: 0.1 },
    )
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'timeout' })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test.each([
    ['a mistake of ours', new TypeError('secret-in-a-message')],
    ['something odd', 'secret-in-a-message'],
  ])('that throws %s is the probe that failed, and does not repeat what was thrown', async (_, thrown) => {
    const outcome = await runWithin(
      type(() => Promise.reject(thrown)),
      check,
    )
    expect(outcome).toMatchObject({ status: 'error', error_kind: 'probe_internal', response_time_ms: null })
    expect(JSON.stringify(outcome)).not.toContain('secret-in-a-message')
  })

  test('whose target is none of its type says so', async () => {
    const outcome = await runWithin(
      type(() => Promise.reject(new TargetError('must be host:port'))),
      check,
    )
    expect(outcome).toMatchObject({ status: 'error', error_message: 'The target must be host:port.' })
  })

  test('that is given up says nothing of the target', async () => {
    const address = await tcpServer(() => {})
    const stop = new AbortController()
    const running = run('http', `http://${address}/`, {}, { timeout: 30, signal: stop.signal })
    stop.abort()
    expect(await running).toMatchObject({ status: 'error', error_message: 'The check was cancelled.' })
    const late = await run('http', `http://${address}/`, {}, { signal: AbortSignal.abort() })
    expect(late).toMatchObject({ status: 'error', error_message: 'The check was cancelled.' })
  })
})
