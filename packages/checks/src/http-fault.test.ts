import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { run, soon } from './testing/run.ts'
import { httpServer, rawServer, tcpServer } from './testing/servers.ts'

const ok = 'HTTP/1.1 200 OK\r\n'

/** A server that says `head` at once and then `drop` again and again, a few bytes at a time, for ever. */
const dripServer = (head: string, drop: string, every = 20) =>
  tcpServer(socket => {
    socket.write(head)
    let at = 0
    const drip = setInterval(() => socket.write(drop[at++ % drop.length] ?? ''), every)
    socket.on('close', () => clearInterval(drip))
  })

describe('one deadline for all', () => {
  test.each([
    ['its status line', '', `HTTP/1.1 200 ${'O'.repeat(1000)}`, 'timeout'],
    ['its headers', ok, 'X-Name: value\r\n', 'timeout'],
    ['its body', `${ok}Content-Length: 1000000\r\n\r\n`, 'x', 'timeout'],
    ['a body without length', `${ok}\r\n`, 'x', 'timeout'],
    ['the size of a chunk', `${ok}Transfer-Encoding: chunked\r\n\r\n1;`, 'x', 'timeout'],
    ['chunks', `${ok}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n', 'timeout'],
    ['trailers', `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'A: b\r\n', 'timeout'],
    ['informational answers', '', 'HTTP/1.1 102 Processing\r\n\r\n', 'timeout'],
    ['nothing, after one byte', 'H', '', 'timeout'],
    ['nothing at all', '', '', 'first_byte_timeout'],
  ])('ends a check that is dripped %s', async (_, head, drop, kind) => {
    const address = await dripServer(head, drop)
    const started = performance.now()
    const outcome = await run('http', `http://${address}/`, {}, soon)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: kind })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('redirects share it', async () => {
    const address = await httpServer((request, response) => {
      const next = Number(request.url?.slice(1)) + 1
      setTimeout(() => response.writeHead(302, { location: `/${next}` }).end(), 150)
    })
    const started = performance.now()
    const outcome = await run('http', `http://${address}/0`, { max_redirects: 20 }, soon)
    // Each answer comes in time, all of them together do not.
    expect(outcome.status).toBe('offline')
    expect(outcome.error_kind).toMatch(/^(first_byte|connect)_timeout$/)
    expect(outcome.details.redirects).toBeLessThan(4)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('what a target says too much', () => {
  test('a gigabyte of gzip', async () => {
    // A thousand times the same compressed megabyte: gzip members may follow each other.
    const member = gzipSync(Buffer.alloc(1024 * 1024))
    const bomb = Buffer.concat(Array.from({ length: 1024 }, () => member))
    const address = await httpServer((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb))
    const before = process.memoryUsage.rss()
    const outcome = await run('http', `http://${address}/`, { keyword: 'x' }, { timeout: 5 })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'http_too_large' })
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024)
  })

  test.each([
    ['announced', `${ok}Content-Length: 1000000000\r\n\r\n`],
    ['not announced', `${ok}\r\n`],
    ['in chunks', `${ok}Transfer-Encoding: chunked\r\n\r\n40000000\r\n`],
  ])('a body without end, %s', async (_, head) => {
    const piece = Buffer.alloc(64 * 1024, 'x')
    const address = await tcpServer(socket => {
      socket.write(head)
      const more = () => {
        while (!socket.destroyed && socket.write(piece));
      }
      socket.on('drain', more)
      more()
    })
    const outcome = await run('http', `http://${address}/`, {}, { timeout: 5 })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'http_too_large' })
  })
})

describe('what a target says wrong', () => {
  test('is shown in short, without the secrets of the check', async () => {
    const address = await tcpServer(socket => socket.once('data', data => socket.end(`echo ${data.toString()}`)))
    const options = { headers: { 'X-Key': 'key-1234' }, auth: { type: 'bearer', token: 'swordfish' } }
    const outcome = await run('http', `http://${address}/?token=query-secret`, options)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'http_invalid' })
    expect(outcome.details.excerpt).toMatch(/^echo GET \/\?token=\[redacted\] HTTP\/1\.1 Host: /)
    for (const secret of ['key-1234', 'swordfish', 'query-secret'])
      expect(JSON.stringify(outcome)).not.toContain(secret)
  })

  test('is shown as far as it came when it broke off', async () => {
    const address = await rawServer(`${ok}Content-Length: 100\r\n\r\nFatal error: password=hunter22`)
    const outcome = await run('http', `http://${address}/`)
    expect(outcome).toMatchObject({
      error_kind: 'http_truncated',
      response_time_ms: expect.any(Number),
      details: { status_code: 200, excerpt: 'Fatal error: password=[redacted]' },
    })
  })

  test.each([
    ['in an echo of the address', (url: string) => url],
    ['decoded', (url: string) => decodeURIComponent(url)],
  ])('holds no token of a query, %s', async (_, echo) => {
    const address = await httpServer((request, response) => response.writeHead(500).end(echo(request.url ?? '')))
    const outcome = await run('http', `http://${address}/?token=se%2Fcret%20value`)
    expect(outcome.error_kind).toBe('http_status')
    expect(JSON.stringify(outcome)).not.toMatch(/cret/)
  })

  test('a keyword is found over the border of chunks, and in its character set', async () => {
    const address = await httpServer(async (_, response) => {
      response.setHeader('content-type', 'text/plain; charset=utf-8')
      for (const byte of Buffer.from('grüß dich')) {
        response.write(Buffer.from([byte]))
        await new Promise(resolve => setImmediate(resolve))
      }
      response.end()
    })
    expect(await run('http', `http://${address}/`, { keyword: 'üß d' })).toMatchObject({ status: 'online' })
  })

  test('a character set that nobody knows is read as UTF-8', async () => {
    const address = await httpServer((_, response) => {
      response.setHeader('content-type', 'text/plain; charset=klingon').end('grüß')
    })
    expect(await run('http', `http://${address}/`, { keyword: 'grüß' })).toMatchObject({ status: 'online' })
  })
})

describe('while the check still sends its body', () => {
  const body = 'x'.repeat(262_144)

  test('an early answer counts', async () => {
    const address = await tcpServer(socket =>
      socket.once('data', () => {
        socket.pause()
        socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nno!')
      }),
    )
    const outcome = await run('http', `http://${address}/`, { body }, { method: 'post' })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'http_status', details: { status_code: 413 } })
  })

  test('a reset without an answer is one', async () => {
    const address = await tcpServer(socket => socket.once('data', () => socket.resetAndDestroy()))
    const outcome = await run('http', `http://${address}/`, { body }, { method: 'post' })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'connect_reset' })
  })
})

test('a target that ends its side first still gets its question', async () => {
  const address = await tcpServer(socket => {
    socket.once('data', () => socket.end(`${ok}Content-Length: 2\r\n\r\nhi`))
  })
  expect(await run('http', `http://${address}/`)).toMatchObject({ status: 'online' })
})

test('an answer that came before the question is one', async () => {
  const address = await tcpServer(socket => socket.end('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n'))
  expect(await run('http', `http://${address}/`)).toMatchObject({ error_kind: 'http_status' })
})
