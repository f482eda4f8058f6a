import { expect, test } from 'vitest'
import { type Asked, type Hosts, isServedOn } from './surface-host.ts'

const none: Hosts = { api: undefined, otlp: undefined, rum: undefined, site: undefined }
const all: Hosts = { api: 'api.example', otlp: 'otlp.example', rum: 'rum.example', site: 'www.example' }
const paths = {
  user: '/v1/monitors',
  probe: '/v1/probe/get-checks',
  public: '/api/status/acme',
  otlp: '/v1/traces',
  rum: '/v1/ingest',
  session: '/api/session',
  login: '/api/session',
  registration: '/api/registration',
  invitation: '/api/invitations/wp_invite_a',
  subscription: '/status/acme/subscribe',
}
const asked = (surface: Asked['surface'], host: string, more: Partial<Asked> = {}): Asked => ({
  surface,
  path: paths[surface],
  host,
  authorized: true,
  ...more,
})

test('without names everything is served everywhere', () => {
  for (const surface of Object.keys(paths) as Asked['surface'][]) {
    for (const host of ['127.0.0.1:8080', 'any.example', '']) expect(isServedOn(none, asked(surface, host))).toBe(true)
  }
})

test.each([
  ['user', ['api.example']],
  ['probe', ['api.example', 'www.example']],
  ['otlp', ['otlp.example']],
  ['rum', ['rum.example']],
  ['session', ['api.example', 'www.example']],
  ['login', ['api.example', 'www.example']],
  ['invitation', ['api.example', 'www.example']],
] as const)('with names %s is served on %j only', (surface, served) => {
  const hosts = [...Object.values(all), 'other.example', 'evil-api.example', 'api.example.evil.io', '']
  expect(hosts.filter(host => isServedOn(all, asked(surface, host as string)))).toEqual(served)
})

test('what takes no credential is served on every host', () => {
  for (const host of ['api.example', 'status.other.example', '']) {
    expect(isServedOn(all, asked('public', host))).toBe(true)
  }
})

test('apps are the site’s, and on the API’s host, too', () => {
  const apps = { path: '/api/observability/apps' }
  expect(isServedOn(all, asked('user', 'www.example', apps))).toBe(true)
  expect(isServedOn(all, asked('user', 'api.example', apps))).toBe(true)
  expect(isServedOn(all, asked('user', 'otlp.example', apps))).toBe(false)
  expect(isServedOn({ ...none, api: 'api.example' }, asked('user', 'any.example', apps))).toBe(true)
})

test('the site’s own pages ask without a token, and a token is for the API’s host', () => {
  expect(isServedOn(all, asked('user', 'www.example', { authorized: false }))).toBe(true)
  expect(isServedOn(all, asked('user', 'www.example'))).toBe(false)
  expect(isServedOn(all, asked('user', 'otlp.example', { authorized: false }))).toBe(false)
})

test('a name without a port is meant on every port, and one with a port on that', () => {
  for (const host of ['API.example', 'api.example:8080', 'api.example.']) {
    expect(isServedOn(all, asked('user', host)), host).toBe(true)
  }
  const exact = { ...none, api: 'api.example:8443' }
  expect(isServedOn(exact, asked('user', 'api.example:8443'))).toBe(true)
  expect(isServedOn(exact, asked('user', 'api.example'))).toBe(false)
})

test('a probe may come by address, nobody else', () => {
  for (const host of ['127.0.0.1:8080', '[::1]:8080', '0.0.0.0:80']) {
    expect(isServedOn(all, asked('probe', host))).toBe(true)
    expect(isServedOn(all, asked('user', host))).toBe(false)
  }
})
