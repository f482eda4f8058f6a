import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig, UsageError } from './config.ts'

/** A file for as long as the test. */
function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, text)
  return file
}

test('without anything said the defaults hold', () => {
  expect(readConfig({}, {}, false)).toMatchObject({
    listen: { host: '127.0.0.1', port: 8080 },
    otlpListen: { host: '127.0.0.1', port: 4318 },
    dataDir: './data',
    logFormat: 'json',
    channelPrivate: 'deny',
    rateLimits: {
      ...{ tokenHour: 1000, tokenMinute: 60, anonymousHour: 100, probeMinute: 6000 },
      ...{ sessionMinute: 600, login15Min: 5, registrationHour: 3, subscriptionHour: 10 },
    },
    registration: 'closed',
    defaultPlan: 'enterprise',
    trustedProxies: [],
  })
})

test('a flag beats the environment, the environment beats the default', () => {
  const env = { WATCHPOST_LISTEN: '0.0.0.0:9000', WATCHPOST_DATA_DIR: '/var/lib/watchpost' }
  expect(readConfig({ listen: '127.0.0.1:0' }, env, false)).toMatchObject({
    listen: { host: '127.0.0.1', port: 0 },
    dataDir: '/var/lib/watchpost',
  })
})

test('a secret may stand in a file', () => {
  const file = fileOf('sesame\n')
  expect(readConfig({}, { WATCHPOST_INSTANCE_KEY_FILE: file }, false).instanceKey).toBe('sesame')
})

test('an IPv6 address stands in brackets', () => {
  expect(readConfig({ listen: '[::1]:8080' }, {}, false).listen).toEqual({ host: '::1', port: 8080 })
})

test('limits are numbers, 0 included; proxies are addresses and CIDRs', () => {
  const env = { WATCHPOST_RATE_LIMIT_TOKEN_MINUTE: '0', WATCHPOST_TRUSTED_PROXIES: '10.0.0.0/8, ::1,' }
  expect(readConfig({}, env, false)).toMatchObject({
    rateLimits: { tokenHour: 1000, tokenMinute: 0 },
    trustedProxies: [
      { net: '10.0.0.0', bits: 8 },
      { net: '::1', bits: 128 },
    ],
  })
})

test('surfaces have host names of their own where they were given one', () => {
  const env = { WATCHPOST_API_HOST: 'API.example.com', WATCHPOST_RUM_HOST: 'rum.example.com:8443' }
  const hosts = { api: 'api.example.com', otlp: undefined, rum: 'rum.example.com:8443', site: undefined }
  expect(readConfig({}, env, false).hosts).toEqual(hosts)
})

test('a mail server is a URL, its password perhaps in a file, and a sender', () => {
  const file = fileOf('smtps://ops%40a.example:p%3Aw@mail.example.com\n')
  const env = { WATCHPOST_SMTP_URL_FILE: file, WATCHPOST_MAIL_FROM: 'Watchpost <alerts@example.com>' }
  expect(readConfig({}, env, false).mailServer).toEqual({
    host: 'mail.example.com',
    port: 465,
    secure: true,
    user: 'ops@a.example',
    password: 'p:w',
    from: 'Watchpost <alerts@example.com>',
  })
  const plain = { WATCHPOST_SMTP_URL: 'smtp://[::1]:2525', WATCHPOST_MAIL_FROM: 'a@b.example' }
  expect(readConfig({}, plain, false).mailServer).toMatchObject({ host: '::1', port: 2525, secure: false })
  expect(readConfig({}, {}, false).mailServer).toBeUndefined()
})

test.each([
  ['http://secret@mail.example.com', 'a@b.example', 'WATCHPOST_SMTP_URL'],
  ['smtp://', 'a@b.example', 'WATCHPOST_SMTP_URL'],
  ['smtp://u:secret@mail.example.com', undefined, 'WATCHPOST_MAIL_FROM'],
  ['smtp://u:secret@mail.example.com', 'Watchpost', 'WATCHPOST_MAIL_FROM'],
  ['smtp://u:secret@mail.example.com', 'a@b.example\r\nBcc: c@d.example', 'WATCHPOST_MAIL_FROM'],
])('a mail server %s from %s is refused, without its password', (url, from, named) => {
  const env = { WATCHPOST_SMTP_URL: url, ...(from === undefined ? {} : { WATCHPOST_MAIL_FROM: from }) }
  expect(() => readConfig({}, env, false)).toThrow(named)
  expect(() => readConfig({}, env, false)).not.toThrow('secret@')
})

describe('what cannot be meant is refused, naming the setting', () => {
  test.each([
    ['--listen (WATCHPOST_LISTEN)', { listen: '8080' }],
    ['--listen (WATCHPOST_LISTEN)', { listen: 'localhost:99999' }],
    ['--log-level (WATCHPOST_LOG_LEVEL)', { logLevel: 'loud' }],
    ['--database-url (WATCHPOST_DATABASE_URL)', { databaseUrl: 'mysql://x' }],
    ['--public-url (WATCHPOST_PUBLIC_URL)', { publicUrl: 'example.com' }],
  ])('%s', (name, given) => {
    expect(() => readConfig(given, {}, false)).toThrow(UsageError)
    expect(() => readConfig(given, {}, false)).toThrow(name)
  })

  test.each([
    ['WATCHPOST_CHANNEL_PRIVATE', 'yes'],
    ['WATCHPOST_RATE_LIMIT_TOKEN_HOUR', 'many'],
    ['WATCHPOST_RATE_LIMIT_TOKEN_MINUTE', '-1'],
    ['WATCHPOST_RATE_LIMIT_ANONYMOUS_HOUR', '1.5'],
    ['WATCHPOST_RATE_LIMIT_PROBE_MINUTE', '6e3'],
    ['WATCHPOST_RATE_LIMIT_LOGIN_15MIN', 'five'],
    ['WATCHPOST_REGISTRATION', 'yes'],
    ['WATCHPOST_DEFAULT_PLAN', 'platinum'],
    ['WATCHPOST_TRUSTED_PROXIES', '10.0.0.1,proxy.example'],
    ['WATCHPOST_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['WATCHPOST_API_HOST', 'https://api.example.com'],
    ['WATCHPOST_OTLP_HOST', 'otlp.example.com/v1'],
    ['WATCHPOST_RUM_HOST', 'rum example'],
    ['WATCHPOST_SITE_HOST', '*.example.com'],
  ])('%s=%s', (name, value) => {
    expect(() => readConfig({}, { [name]: value }, false)).toThrow(UsageError)
    expect(() => readConfig({}, { [name]: value }, false)).toThrow(name)
  })
})
