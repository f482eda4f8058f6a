import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { sessionCookie } from './session-cookie.ts'

const proxied = { WATCHPOST_TRUSTED_PROXIES: '10.0.0.0/8' }
const by = (remoteAddress: string, headers = {}, more = {}) =>
  ({ headers, socket: { remoteAddress, ...more } }) as unknown as FastifyRequest

function written(env: NodeJS.ProcessEnv, request: FastifyRequest): string {
  const headers: Record<string, unknown> = {}
  const reply = { header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) }
  const cookie = sessionCookie({ config: readConfig({}, env, false), now: () => 0 })
  cookie.of(request, reply as unknown as FastifyReply).set('secret', 5000)
  return String(headers['set-cookie'])
}

describe('the cookie is kept to https', () => {
  test.each([
    ['the public URL is https', { WATCHPOST_PUBLIC_URL: 'https://watch.example' }, by('127.0.0.1')],
    ['the connection is encrypted', {}, by('192.0.2.1', {}, { encrypted: true })],
    ['a trusted proxy says so', proxied, by('10.1.2.3', { 'x-forwarded-proto': 'https' })],
    ['the nearest of several proxies says so', proxied, by('::ffff:10.1.2.3', { 'x-forwarded-proto': 'http, https' })],
  ])('where %s', (_, env, request) => {
    expect(written(env, request)).toBe('__Host-watchpost=secret; Path=/; HttpOnly; SameSite=Lax; Max-Age=5; Secure')
  })

  test.each([
    ['nobody says so', {}, by('127.0.0.1')],
    ['the public URL is http', { WATCHPOST_PUBLIC_URL: 'http://localhost:8080' }, by('127.0.0.1')],
    ['somebody says so whom we do not trust', proxied, by('192.0.2.1', { 'x-forwarded-proto': 'https' })],
    ['the nearest proxy says otherwise', proxied, by('10.1.2.3', { 'x-forwarded-proto': 'https, http' })],
  ])('but not where %s', (_, env, request) => {
    expect(written(env, request)).toBe('watchpost=secret; Path=/; HttpOnly; SameSite=Lax; Max-Age=5')
  })
})

test('it is read under the name it would be given, and no other', () => {
  const { read } = sessionCookie({ config: readConfig({}, {}, false), now: () => 0 })
  const secure = sessionCookie({ config: readConfig({}, { WATCHPOST_PUBLIC_URL: 'https://a' }, false), now: () => 0 })
  const cookie = 'a=1; watchpost=plain; __Host-watchpost=host; b'
  expect(read(by('127.0.0.1', { cookie }))).toBe('plain')
  expect(secure.read(by('127.0.0.1', { cookie }))).toBe('host')
  expect(secure.read(by('127.0.0.1', { cookie: 'watchpost=plain' }))).toBeUndefined()
  expect(read(by('127.0.0.1', { cookie: 'xwatchpost=1; watchpost' }))).toBeUndefined()
  expect(read(by('127.0.0.1'))).toBeUndefined()
})
