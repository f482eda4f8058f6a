import { afterEach, describe, expect, test } from 'vitest'
import { Browser } from '../browser.ts'
import type { Answer } from '../people.ts'
import {
  expectHeaders,
  expectRefused,
  from,
  type LimitedWorld,
  left,
  limitedWorld,
  statuses,
  times,
} from '../rate-limits.ts'

let limited: LimitedWorld
afterEach(() => limited.world.close())

async function serve(limits: Record<string, number | string>) {
  limited = await limitedWorld(limits)
  const { email, password } = limited.world.credentials
  const logIn = (text = password, address?: string, name = email) =>
    new Browser(limited.world.url).post(
      '/api/session',
      { email: name, password: text },
      address === undefined ? {} : from(address),
    )
  return { ...limited, logIn, password }
}

describe('logging in', () => {
  test('is possible so often from one address, right or wrong', async () => {
    const { logIn, password } = await serve({ RATE_LIMIT_LOGIN_15MIN: 3, TRUSTED_PROXIES: '127.0.0.1' })
    const asked = [await logIn('wrong'), await logIn(password), await logIn('wrong')]
    expect(statuses(asked)).toEqual([401, 201, 401])
    for (const [index, answer] of asked.entries()) expectHeaders(answer, 3, 2 - index, 900)
    const refused = await logIn(password)
    expect(refused.body.message).toBe('Rate limit exceeded: 3 per 15 minutes')
    expect(refused.headers.get('retry-after')).toBe(String(refused.body.retry_after))
    expectHeaders(refused, 3, 0, 900)
    expect((await logIn(password, '203.0.113.1')).status).toBe(201)
  })

  test('fails so often for one account, from however many addresses', async () => {
    const { logIn, password } = await serve({ RATE_LIMIT_LOGIN_15MIN: 2, TRUSTED_PROXIES: '127.0.0.1' })
    const right = [await logIn(password, '203.0.113.1'), await logIn(password, '203.0.113.2')]
    const wrong = [await logIn('wrong', '203.0.113.3'), await logIn('wrong', '203.0.113.4')]
    expect(statuses([...right, ...wrong])).toEqual([201, 201, 401, 401])
    const refused = await logIn(password, '203.0.113.5')
    expect(refused.status).toBe(429)
    expectHeaders(refused, 2, 0, 900)
    expect(refused.headers.get('ratelimit-policy')).toBe('"login-account-15min";q=2;w=900')
    // Nobody learns whether there is an account, and other accounts are not locked.
    const unknown = []
    for (const host of [10, 11, 12]) unknown.push(await logIn('wrong', `203.0.113.${host}`, 'nobody@example.com'))
    expect(statuses(unknown)).toEqual([401, 401, 429])
  })

  test('at the same moment is counted like one after the other', async () => {
    const { logIn } = await serve({ RATE_LIMIT_LOGIN_15MIN: 4, TRUSTED_PROXIES: '127.0.0.1' })
    const many = await Promise.all(Array.from({ length: 12 }, (_, index) => logIn('wrong', `203.0.113.${index}`)))
    expect(statuses(many).filter(status => status === 401)).toHaveLength(4)
  })

  test('counts nothing where the limit is off', async () => {
    const { logIn } = await serve({})
    const asked = await times(8, () => logIn('wrong'))
    expect(new Set(statuses(asked))).toEqual(new Set([401]))
    expect([...(asked[0] as Answer).headers.keys()].filter(name => /rate-?limit/.test(name))).toEqual([])
  })

  test('guessing a password of somebody who is logged in counts, too', async () => {
    const { logIn, password, world } = await serve({ RATE_LIMIT_LOGIN_15MIN: 2, TRUSTED_PROXIES: '127.0.0.1' })
    const browser = new Browser(world.url)
    await browser.logIn(world.credentials.email, password)
    const guess = () =>
      browser.put('/api/session/password', { current_password: 'wrong', new_password: 'another long word' })
    expect(statuses(await times(3, guess))).toEqual([422, 422, 429])
    expect((await logIn(password, '203.0.113.1')).status).toBe(429)
  })
})

test('registering is possible so often from one address, whatever comes of it', async () => {
  const { world } = await serve({ RATE_LIMIT_REGISTRATION_HOUR: 3, REGISTRATION: 'open' })
  const register = (email: string) =>
    new Browser(world.url).post('/api/registration', { email, password: 'a long word', team: 'x' })
  const asked = [await register('a@example.com'), await register('a@example.com'), await register('b@example.com')]
  expect(statuses(asked)).toEqual([201, 422, 201])
  for (const [index, answer] of asked.entries()) expectHeaders(answer, 3, 2 - index, 3600)
  expectRefused(await register('c@example.com'))
})

test('a log-in has a budget of its own, wherever it is used', async () => {
  const { owner, password, world } = await serve({ RATE_LIMIT_SESSION_MINUTE: 4, RATE_LIMIT_TOKEN_MINUTE: 10 })
  const [one, two] = [new Browser(world.url), new Browser(world.url)]
  for (const each of [one, two]) await each.logIn(world.credentials.email, password)
  const asked = [await one.get('/v1/team'), await one.get('/api/session'), await one.get('/v1/monitors/999')]
  expect(statuses(asked)).toEqual([200, 200, 404])
  for (const [index, answer] of asked.entries()) expectHeaders(answer, 4, 3 - index, 60)
  // Refused for want of proof, and counted all the same.
  expect((await one.post('/v1/monitors', {}, { 'x-csrf-token': undefined })).status).toBe(403)
  expectRefused(await one.get('/v1/team'))
  expect(left(await two.get('/v1/team'))).toBe('3')
  expect(left(await owner.get('/v1/team'))).toBe('9')
})

test('the documented limits hold where nobody says otherwise', async () => {
  const { logIn, world } = await serve({
    RATE_LIMIT_LOGIN_15MIN: '',
    RATE_LIMIT_REGISTRATION_HOUR: '',
    RATE_LIMIT_SESSION_MINUTE: '',
    REGISTRATION: 'open',
  })
  const answer = await logIn()
  expect(answer.headers.get('ratelimit-policy')).toBe('"login-15min";q=5;w=900')
  const cookie = answer.headers.getSetCookie()[0] as string
  const browser = new Browser(world.url)
  expect((await browser.get('/v1/team', { cookie })).headers.get('ratelimit-policy')).toBe(
    '"session-minute";q=600;w=60',
  )
  const registration = await browser.post('/api/registration', {})
  expect(registration.headers.get('ratelimit-policy')).toBe('"registration-hour";q=3;w=3600')
})
