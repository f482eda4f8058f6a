import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { http } from './http.ts'
import { planOf } from './http-plan.ts'
import { completeRequest } from './http-request.ts'
import { run } from './testing/run.ts'
import { httpServer, listen, tcpServer } from './testing/servers.ts'

const check = (target: string, options: Record<string, unknown> = {}, method: 'get' | 'post' | 'delete' = 'get') =>
  ({ type: 'http', target, method, timeout: 1, ssl_verify: true, options }) as const

/** The lines of the first request of a check. */
function linesOf(given: ReturnType<typeof check>, traceparent?: string): string[] {
  const { first } = planOf(given)
  return completeRequest(first.request, first.body, traceparent).toString().split('\r\n')
}

describe('a request', () => {
  test.each([
    ['http://example.com', 'GET / HTTP/1.1', 'Host: example.com'],
    ['http://example.com:80/a', 'GET /a HTTP/1.1', 'Host: example.com'],
    ['http://example.com:8080/a?b=c#d', 'GET /a?b=c HTTP/1.1', 'Host: example.com:8080'],
    ['https://example.com:443/', 'GET / HTTP/1.1', 'Host: example.com'],
    ['https://example.com:80/', 'GET / HTTP/1.1', 'Host: example.com:80'],
    ['http://user:secret@example.com/', 'GET / HTTP/1.1', 'Host: example.com'],
    ['http://[2001:db8::1]:81/', 'GET / HTTP/1.1', 'Host: [2001:db8::1]:81'],
    ['http://bücher.example/ü?ö', 'GET /%C3%BC?%C3%B6 HTTP/1.1', 'Host: xn--bcher-kva.example'],
  ])('for %s', (target, start, host) => {
    expect(linesOf(check(target)).slice(0, 2)).toEqual([start, host])
  })

  test('has the name for TLS without brackets, port and final dot', () => {
    expect(planOf(check('https://[::1]:8443/')).first).toMatchObject({ host: '::1', port: 8443, isTls: true })
    expect(planOf(check('https://Example.com./')).first).toMatchObject({ host: 'example.com', port: 443 })
  })

  test('closes its connection, and has the headers of the monitor once', () => {
    const lines = linesOf(check('http://a.example/', { headers: { 'user-agent': 'me', HOST: 'b.example' } }))
    expect(lines).toContain('Connection: close')
    expect(lines.filter(line => /^user-agent:/i.test(line))).toEqual(['user-agent: me'])
    expect(lines.filter(line => /^host:/i.test(line))).toEqual(['HOST: b.example'])
    expect(lines.slice(-2)).toEqual(['', ''])
  })

  test('says how long its body is, also when it has none', () => {
    expect(linesOf(check('http://a.example/', { body: 'grüß' }, 'post'))).toContain('Content-Length: 6')
    expect(linesOf(check('http://a.example/', {}, 'post'))).toContain('Content-Length: 0')
    expect(linesOf(check('http://a.example/', {}, 'delete')).join()).not.toContain('Content-Length')
    expect(linesOf(check('http://a.example/')).join()).not.toContain('Content-Length')
  })

  test('never has more headers than it was given', async () => {
    const outcome = await run('http', 'http://127.0.0.1:1/', { headers: { a: 'b\r\nc: d' } })
    expect(outcome).toMatchObject({ status: 'error', error_kind: 'probe_internal' })
  })

  test('is made anew when the settings of a monitor change', () => {
    const options = {}
    expect(planOf(check('http://a.example/', options))).toBe(planOf(check('http://a.example/', options)))
    expect(planOf(check('http://b.example/', options)).first.host).toBe('b.example')
    expect(planOf(check('http://b.example/', options, 'post')).first.method).toBe('POST')
  })
})

describe('traceparent', () => {
  const traceparent = '00-ba7816bf8f01cfea414140de5dae2223-b00361a396177a9c-01'

  test('goes out with every request, over redirects to other origins too', async () => {
    const seen: unknown[] = []
    const other = await httpServer((request, response) => {
      seen.push(request.headers.traceparent)
      response.end()
    })
    const address = await httpServer((request, response) => {
      seen.push(request.headers.traceparent)
      response.writeHead(302, { location: `http://${other}/` }).end()
    })
    expect(await run('http', `http://${address}/`, {}, { traceparent })).toMatchObject({ status: 'online' })
    expect(seen).toEqual([traceparent, traceparent])
  })

  test('of the monitor wins, and without a run there is none', () => {
    const own = check('http://a.example/', { headers: { TraceParent: 'mine' } })
    expect(linesOf(own, traceparent).filter(line => /^traceparent:/i.test(line))).toEqual(['TraceParent: mine'])
    expect(linesOf(check('http://a.example/')).join()).not.toContain('traceparent')
  })
})

test('a proxy is never taken from the environment', async () => {
  let asked = 0
  const proxy = await tcpServer(() => asked++)
  const address = await listen(createServer((_, response) => response.end()))
  for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY'])
    process.env[name] = `http://${proxy}`
  try {
    expect(await run('http', `http://${address}/`)).toMatchObject({ status: 'online' })
    expect(asked).toBe(0)
  } finally {
    for (const name of ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY']) delete process.env[name]
  }
})

test.each(['-http://a.example/', 'http://-', 'http://a b/', 'http:///a', 'http://'])('%s is no target', target => {
  expect(() => http.parseTarget(target)).toThrow(/^must /)
})
