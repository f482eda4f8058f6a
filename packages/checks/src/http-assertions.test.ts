import { describe, expect, test } from 'vitest'
import { run } from './testing/run.ts'
import { httpServer } from './testing/servers.ts'

const json = (value: unknown) =>
  httpServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  })

const text = (body: string, status = 200) => httpServer((_, response) => response.writeHead(status).end(body))

/** Time enough for the thread that tries patterns to start on a busy machine: what ends here is a pattern, not a check. */
const patient = { timeout: 50 }

describe('an answer is judged', () => {
  const body = JSON.stringify({ state: 'ok', items: [{ id: 7 }, { id: 8 }], tags: ['a', 'b'] })

  test.each([
    ['status', {}, 500, 'http_status', 'The status was 500, not 200-299.'],
    ['status', { expected_status: [200, '300-399'] }, 204, 'http_status', 'The status was 204, not 200 or 300-399.'],
    ['keyword', { keyword: 'nope' }, 200, 'keyword_missing', 'The body does not contain "nope".'],
    ['keyword_absent', { keyword_absent: 'ok' }, 200, 'keyword_forbidden', 'The body contains "ok".'],
    ['body_regex', { body_regex: '^state' }, 200, 'assertion_failed', 'The body does not match "^state".'],
    [
      'json equals',
      { json: [{ path: '$.state', equals: 'bad' }] },
      200,
      'assertion_failed',
      'At $.state is "ok", not "bad".',
    ],
    [
      'json contains',
      { json: [{ path: '$.tags', contains: 'z' }] },
      200,
      'assertion_failed',
      'At $.tags is ["a","b"], without "z".',
    ],
    [
      'json exists',
      { json: [{ path: '$.gone', exists: true }] },
      200,
      'assertion_failed',
      'There is nothing at $.gone.',
    ],
    [
      'json exists false',
      { json: [{ path: '$.state', exists: false }] },
      200,
      'assertion_failed',
      'There is something at $.state.',
    ],
    [
      'min_body_bytes',
      { min_body_bytes: 1000 },
      200,
      'empty_body',
      'The body had 59 bytes; at least 1000 are demanded.',
    ],
  ])('by %s %j', async (_, options, status, kind, message) => {
    const address = await httpServer((_, response) => response.writeHead(status).end(status === 204 ? undefined : body))
    const outcome = await run('http', `http://${address}/`, options, patient)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: kind, error_message: message })
    expect(outcome.response_time_ms).not.toBeNull()
    if (status !== 204) expect(outcome.details.excerpt).toContain('"state":"ok"')
  })

  test.each([
    { expected_status: ['200-299'] },
    { keyword: '"state"', keyword_absent: 'error' },
    { body_regex: '"state":\\s*"ok"' },
    { json: [{ path: '$.state', equals: 'ok' }] },
    { json: [{ path: '$.items[?@.id == 8]', exists: true }] },
    { json: [{ path: '$.items[*].id', equals: 8 }] },
    { json: [{ path: '$.items[0]', equals: { id: 7 } }] },
    { json: [{ path: '$.tags', contains: 'b' }] },
    { json: [{ path: '$.state', contains: 'o' }] },
    { min_body_bytes: 10, max_response_time_ms: 1000 },
  ])('and found good by %j', async options => {
    const address = await text(body)
    expect(await run('http', `http://${address}/`, options, patient)).toMatchObject({
      status: 'online',
      error_kind: null,
    })
  })

  test('as no JSON when it is none', async () => {
    const address = await text('<html>')
    const outcome = await run('http', `http://${address}/`, { json: [{ path: '$', exists: true }] })
    expect(outcome).toMatchObject({ error_kind: 'assertion_failed', error_message: 'The body is not JSON.' })
  })

  test('as too slow when it took longer than allowed', async () => {
    const address = await httpServer((_, response) => void setTimeout(() => response.end(), 30))
    const outcome = await run('http', `http://${address}/`, { max_response_time_ms: 20 })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'too_slow' })
  })

  test.each([
    ['pattern', { body_regex: '(a+)+$' }, 'a'.repeat(50_000)],
    ['pattern in a JSON path', { json: [{ path: '$[?match(@, "(a|a)*b")]', exists: true }] }, 'a'.repeat(40)],
  ])(
    'without hanging on a %s that backtracks for years',
    async (_, options, long) => {
      const address = await json([`${long}!`])
      const other = await text('fine')
      let isJudged = false
      const judged = run('http', `http://${address}/`, options, patient).finally(() => {
        isJudged = true
      })
      // Were the pattern tried in this thread, not one of these would ever end.
      do expect(await run('http', `http://${other}/`, {}, patient)).toMatchObject({ status: 'online' })
      while (!isJudged)
      expect(await judged).toMatchObject({ status: 'offline', error_kind: 'assertion_failed' })
      expect((await judged).error_message).toMatch(/takes too long on this body/)
      // The thread after it is another, which may have to wait for its turn.
      const next = async () => (await run('http', `http://${other}/`, { body_regex: '^f' }, patient)).status
      await expect.poll(next, { timeout: 50_000 }).toBe('online')
    },
    120_000,
  )

  test('as JSON also when it is large', async () => {
    const large = { items: Array.from({ length: 40_000 }, (_, id) => ({ id })), state: 'ok' }
    const address = await json(large)
    const good = { json: [{ path: '$.state', equals: 'ok' }] }
    expect(await run('http', `http://${address}/`, good, patient)).toMatchObject({ status: 'online' })
    const bad = { json: [{ path: '$.state', equals: 'bad' }] }
    expect(await run('http', `http://${address}/`, bad, patient)).toMatchObject({
      error_kind: 'assertion_failed',
    })
  })

  test('and what is shown of it holds no secret of the check', async () => {
    const address = await httpServer((request, response) => {
      response.writeHead(500).end(`${JSON.stringify(request.headers)} password=hunter22 ${'x'.repeat(2000)}`)
    })
    const options = {
      headers: { 'X-Tenant': 'tenant-1234' },
      auth: { type: 'basic', username: 'me', password: 'swordfish' },
      json: [{ path: '$', equals: 1 }],
    }
    const outcome = await run('http', `http://${address}/`, options)
    expect(outcome.error_kind).toBe('http_status')
    expect(outcome.details.excerpt).toHaveLength(500)
    const shown = JSON.stringify(outcome)
    for (const secret of ['tenant-1234', 'swordfish', 'bWU6c3dvcmRmaXNo', 'hunter22'])
      expect(shown).not.toContain(secret)
  })

  test('and a secret that it echoes is not in the message either', async () => {
    const address = await httpServer((request, response) => {
      response.end(JSON.stringify({ echo: request.headers.authorization }))
    })
    const options = { auth: { type: 'bearer', token: 'swordfish' }, json: [{ path: '$.echo', equals: 'x' }] }
    const outcome = await run('http', `http://${address}/`, options)
    expect(outcome.error_message).toBe('At $.echo is "[redacted]", not "x".')
  })
})
