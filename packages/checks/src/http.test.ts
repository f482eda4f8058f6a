import { createServer as createIncoming } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { run, soon } from './testing/run.ts'
import { closedPort, httpServer, listen, rawServer, tcpServer } from './testing/servers.ts'

const text = (body: string, status = 200) => httpServer((_, response) => response.writeHead(status).end(body))

describe('a good answer', () => {
  test('is online, with its time, its phases and what was seen', async () => {
    const address = await text('hello')
    const outcome = await run('http', `http://${address}/path?token=hidden-value`)
    expect(outcome).toMatchObject({
      status: 'online',
      error_kind: null,
      error_message: null,
      details: { address: '127.0.0.1', status_code: 200, body_bytes: 5, url: `http://${address}/path?…` },
    })
    expect(outcome.response_time_ms).toBeGreaterThan(0)
    expect(Object.keys(outcome.timings)).toEqual(['connect_ms', 'first_byte_ms', 'transfer_ms'])
    const sum = Object.values(outcome.timings).reduce((a, b) => a + b, 0)
    expect(Math.abs(sum - (outcome.response_time_ms ?? 0))).toBeLessThan(5)
  })

  test('comes for method, headers and body as the monitor says', async () => {
    let seen: unknown
    const address = await httpServer(async (request, response) => {
      const body = await request.toArray()
      const { host, 'x-tenant': tenant, 'content-type': type, 'user-agent': agent } = request.headers
      seen = { method: request.method, host, tenant, type, agent, body: Buffer.concat(body).toString() }
      response.end()
    })
    const options = { headers: { 'X-Tenant': 'seven' }, body: '{"a":1}' }
    const outcome = await run('http', `http://${address}/`, options, { method: 'post' })
    expect(outcome.status).toBe('online')
    expect(seen).toEqual({
      method: 'POST',
      host: address,
      tenant: 'seven',
      type: 'application/json',
      agent: expect.stringMatching(/^Watchpost\/\d/),
      body: '{"a":1}',
    })
  })

  test.each([
    ['basic', { auth: { type: 'basic', username: 'me', password: 'swordfish' } }, '', 'Basic bWU6c3dvcmRmaXNo'],
    ['bearer', { auth: { type: 'bearer', token: 'swordfish' } }, '', 'Bearer swordfish'],
    ['in the URL', {}, 'me:sword%66ish@', 'Basic bWU6c3dvcmRmaXNo'],
  ])('may need credentials: %s', async (_, options, userinfo, expected) => {
    const address = await httpServer((request, response) => {
      response.writeHead(request.headers.authorization === expected ? 200 : 401).end()
    })
    const outcome = await run('http', `http://${userinfo}${address}/`, options)
    expect(outcome.status).toBe('online')
    expect(outcome.details.url).toBe(`http://${address}/`)
  })

  test('comes over a fresh connection each time', async () => {
    let connections = 0
    const server = createIncoming((_, response) => response.end())
    server.on('connection', () => connections++)
    const address = await listen(server)
    await run('http', `http://${address}/`)
    await run('http', `http://${address}/`)
    expect(connections).toBe(2)
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('may be compressed with %s', async (encoding, compress) => {
    const address = await httpServer((_, response) => {
      response.setHeader('content-encoding', encoding).end(compress(`${'a'.repeat(5000)}needle`))
    })
    const outcome = await run('http', `http://${address}/`, { keyword: 'needle' })
    expect(outcome).toMatchObject({ status: 'online', details: { body_bytes: 5006 } })
  })

  test('may be in another character set', async () => {
    const address = await httpServer((_, response) => {
      response.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from([0x67, 0x72, 0xfc, 0xdf]))
    })
    expect(await run('http', `http://${address}/`, { keyword: 'grüß' })).toMatchObject({ status: 'online' })
  })

  test('may be the switch to another protocol', async () => {
    const address = await rawServer('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', false)
    expect(await run('http', `http://${address}/`, { expected_status: [101] })).toMatchObject({ status: 'online' })
  })

  test('comes from an IPv6 address too', async () => {
    const address = await httpServer((_, response) => response.end(), '::1')
    const outcome = await run('http', `http://${address}/`, { ip_family: 6 })
    expect(outcome).toMatchObject({ status: 'online', details: { address: '::1' } })
  })
})

describe('a target that fails', () => {
  test('where nobody listens refuses the connection', async () => {
    const address = await closedPort()
    expect(await run('http', `http://${address}/`)).toMatchObject({
      status: 'offline',
      response_time_ms: null,
      error_kind: 'connect_refused',
      error_message: `Connection refused by ${address}.`,
    })
  })

  test('by never answering has sent no first byte', async () => {
    const address = await tcpServer(() => {})
    const started = performance.now()
    const outcome = await run('http', `http://${address}/`, {}, soon)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'first_byte_timeout', response_time_ms: null })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test.each([
    ['its headers', 'HTTP/1.1 200 OK\r\n', 'x'],
    ['its body', 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n', 'x'],
    ['informational answers', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('by dripping %s for ever runs out of time', async (_, head, drop) => {
    const address = await tcpServer(socket => {
      socket.write(head)
      const drip = setInterval(() => socket.write(drop), 20)
      socket.on('close', () => clearInterval(drip))
    })
    const started = performance.now()
    const outcome = await run('http', `http://${address}/`, {}, soon)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'timeout' })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test.each([
    ['garbage', 'SSH-2.0-OpenSSH_9.2\r\n', 'http_invalid'],
    ['binary garbage', Buffer.alloc(500, 0x9f), 'http_invalid'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'http_invalid'],
    ['broken chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n', 'http_invalid'],
    ['nothing', '', 'connect_reset'],
    ['half a head', 'HTTP/1.1 200 OK\r\nContent-', 'http_truncated'],
    ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', 'http_truncated'],
    ['half a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc', 'http_truncated'],
    ['an unknown encoding', 'HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\n\r\nabc', 'http_invalid'],
    ['false gzip', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nabcdefgh', 'http_invalid'],
  ])('by sending %s', async (_, answer, kind) => {
    const address = await rawServer(answer)
    const outcome = await run('http', `http://${address}/`)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: kind })
    expect(outcome.error_message).toMatch(/^.+\.$/)
  })

  test('by breaking gzip off', async () => {
    const half = gzipSync('x'.repeat(10_000)).subarray(0, 30)
    const address = await httpServer((_, response) => response.setHeader('content-encoding', 'gzip').end(half))
    expect(await run('http', `http://${address}/`)).toMatchObject({ error_kind: 'http_truncated' })
  })

  test('by resetting the connection half-way', async () => {
    const address = await tcpServer(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', () => socket.resetAndDestroy())
      }),
    )
    expect(await run('http', `http://${address}/`)).toMatchObject({ error_kind: 'http_truncated' })
  })

  test('by sending headers without end', async () => {
    const address = await tcpServer(socket => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(`X-${'y'.repeat(1000)}: z\r\n`));
      }
      socket.on('drain', more)
      more()
    })
    expect(await run('http', `http://${address}/`)).toMatchObject({ error_kind: 'http_too_large' })
  })

  test.each([
    ['gzip', (zeros: Buffer) => gzipSync(zeros)],
    ['br', (zeros: Buffer) => brotliCompressSync(zeros)],
    ['deflate', (zeros: Buffer) => deflateSync(zeros)],
    ['gzip, gzip', (zeros: Buffer) => gzipSync(gzipSync(zeros))],
  ])('with a bomb in %s', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024))
    const address = await httpServer((_, response) => response.setHeader('content-encoding', encoding).end(bomb))
    const outcome = await run('http', `http://${address}/`, {}, { timeout: 5 })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'http_too_large' })
  })

  test('with a name that does not exist', async () => {
    expect(await run('http', 'http://watchpost-nowhere.invalid/')).toMatchObject({
      status: 'offline',
      error_kind: 'dns_nxdomain',
      error_message: 'The name watchpost-nowhere.invalid does not exist.',
    })
  })

  test('without an address of the family asked for', async () => {
    const outcome = await run('http', 'http://127.0.0.1/', { ip_family: 6 })
    expect(outcome).toMatchObject({ error_kind: 'dns_no_address', error_message: '127.0.0.1 is not an IPv6 address.' })
  })
})

describe('an address that the policy refuses', () => {
  test.each(['http://169.254.169.254/', 'http://[fe80::1]/', 'http://0/', 'http://[::ffff:169.254.169.254]/'])(
    '%s, always',
    async target => {
      expect(await run('http', target)).toMatchObject({ status: 'offline', error_kind: 'address_refused' })
    },
  )

  test.each(['localhost', '127.0.0.1', '2130706433', '0x7f.1'])('%s, when private ones are denied', async host => {
    const [, port] = (await text('secret')).split(':')
    const outcome = await run('http', `http://${host}:${port}/`, {}, { policy: { private: 'deny' } })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'address_refused', timings: expect.any(Object) })
    expect(outcome.details).not.toHaveProperty('status_code')
  })
})
