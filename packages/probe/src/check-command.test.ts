import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { guessType, describe as lines, parseCheck } from './check-command.ts'
import { UsageError } from './config.ts'
import { run } from './main.ts'
import { Target } from './testing/target.ts'

let target: Target
beforeEach(async () => {
  target = await Target.start()
})
afterEach(() => target.stop())

async function check(...args: string[]) {
  let stdout = ''
  let stderr = ''
  const code = await run(['check', ...args], {
    stdout: text => {
      stdout += text
    },
    stderr: text => {
      stderr += text
    },
    env: {},
    stop: new AbortController().signal,
  })
  return { code, stdout, stderr }
}

/** A port where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise(resolve => server.close(resolve))
  return port
}

describe('watchpost-probe check', () => {
  it('prints the documented fields as JSON and exits 0 when the target is online', async () => {
    const { code, stdout } = await check(target.url, '-o', 'json')
    expect(code).toBe(0)
    const outcome = JSON.parse(stdout)
    expect(Object.keys(outcome)).toEqual([
      'status',
      'response_time_ms',
      'error_kind',
      'error_message',
      'timings',
      'details',
    ])
    expect(outcome).toMatchObject({ status: 'online', error_kind: null })
    expect(outcome.timings.connect_ms).toBeGreaterThan(0)
  })

  it('exits 1 when the target is offline, and says why', async () => {
    target.status = 503
    const { code, stdout } = await check(target.url)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^offline {2}http http:\/\/127/)
    expect(stdout).toContain('http_status: ')
  })

  it('prints no password that is in the target', async () => {
    const { host } = new URL(target.url)
    for (const output of ['text', 'json']) {
      const { code, stdout } = await check(`http://me:s3cr3t@host@${host}/`, '-o', output)
      expect([code, stdout]).toEqual([0, expect.not.stringMatching(/s3cr3t|host@/)])
    }
    expect((await check(`http://me:s3cr3t@${host}/`)).stdout).toContain(`online  http http://***@${host}/ in `)
  })

  it('takes settings of the check type as JSON', async () => {
    target.status = 503
    expect((await check(target.url, '--option', 'expected_status=[503]', '--option', 'keyword=watchpost')).code).toBe(0)
    expect((await check(target.url, '--option', 'expected_status=[503]', '--option', 'keyword=absent')).code).toBe(1)
  })

  it('tells tcp from the target', async () => {
    expect((await check(new URL(target.url).host)).stdout).toMatch(/^online {2}tcp /)
    const { code, stdout } = await check(`127.0.0.1:${await closedPort()}`, '-o', 'json')
    expect([code, JSON.parse(stdout).error_kind]).toEqual([1, 'connect_refused'])
  })

  it('keeps to its timeout', async () => {
    target.delayMs = 10_000
    const began = performance.now()
    const { code } = await check(target.url, '--timeout', '0.5')
    expect(code).toBe(1)
    expect(performance.now() - began).toBeLessThan(9000)
  })

  it.each([
    ['no target', [], /missing required argument/],
    ['an unknown type', ['x', '--type', 'smtp'], /--type: "smtp" is not one of http, https, ping/],
    ['a timeout that is none', ['x', '--timeout', 'soon'], /--timeout: "soon"/],
    ['an option without a value', ['x', '--option', 'keyword'], /--option: "keyword" is not k=v/],
    ['an unknown option of the type', ['http://x', '--option', 'nonsense=1'], /nonsense/],
    ['an option of the wrong kind', ['http://x', '--option', 'expected_status=200'], /expected_status/],
    ['a number for a text', ['x:25', '--option', 'expect=220'], /must be a string; write --option 'expect="220"'/],
    ['a target of another type', ['example.com', '--type', 'http'], /target/],
    ['an unknown method', ['http://x', '--method', 'steal'], /--method: "steal"/],
    ['an unknown output', ['http://x', '-o', 'xml'], /-o: "xml"/],
    ['an unknown flag', ['http://x', '--verbose'], /unknown option/],
  ])('exits 2 for %s, with one line that says so', async (_, args, message) => {
    const { code, stdout, stderr } = await check(...args)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('    at ')
  })

  it('exits 3 when the probe could not check', async () => {
    const code = await run(['check', '127.0.0.1'], {
      stdout: () => undefined,
      stderr: () => undefined,
      env: {},
      stop: new AbortController().signal,
      runCheck: async () => ({
        status: 'error',
        response_time_ms: null,
        error_kind: 'probe_permission',
        error_message: 'ping is not permitted',
        timings: {},
        details: {},
      }),
    })
    expect(code).toBe(3)
  })
})

it.each([
  ['http://x/', 'http'],
  ['HTTPS://x/', 'https'],
  ['db.internal:5432', 'tcp'],
  ['[::1]:80', 'tcp'],
  ['::1', 'ping'],
  ['example.com', 'ping'],
])('guesses from %s that it is %s', (target, type) => {
  expect(guessType(target)).toBe(type)
})

it('passes everything on to the check type', async () => {
  const flags = { method: 'POST', sslVerify: false, timeout: '3', option: ['body={"a":1}', 'keyword=a=b'] }
  await expect(parseCheck('http://x/', flags)).rejects.toThrow(UsageError)
  expect(await parseCheck('http://x/', { ...flags, option: ['keyword=a=b'] })).toEqual({
    type: 'http',
    target: 'http://x/',
    method: 'post',
    timeout: 3,
    ssl_verify: false,
    options: { keyword: 'a=b' },
  })
})

it('describes an outcome in a few lines, without what would steer the terminal', async () => {
  const check = await parseCheck('https://x/', {})
  const text = lines(check, {
    status: 'offline',
    response_time_ms: 123.4,
    error_kind: 'keyword_missing',
    error_message: 'Not there',
    timings: { resolve_ms: 1.26, connect_ms: 12.6 },
    details: { status_code: 200, server: '\u001b[31mred', nothing: null },
  })
  expect(text).toBe(
    'offline  https https://x/ in 123 ms\n  keyword_missing: Not there\n  resolve 1.3 ms, connect 13 ms\n  status_code: 200\n  server:  [31mred\n',
  )
})
