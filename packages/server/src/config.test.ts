import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig, UsageError } from './config.ts'

test('without anything said the defaults hold', () => {
  expect(readConfig({}, {}, false)).toMatchObject({
    listen: { host: '127.0.0.1', port: 8080 },
    otlpListen: { host: '127.0.0.1', port: 4318 },
    dataDir: './data',
    logFormat: 'json',
    channelPrivate: 'deny',
    rateLimits: {
      ...{ tokenHour: 0, tokenMinute: 0, anonymousHour: 0, probeMinute: 0 },
      ...{ sessionMinute: 600, login15Min: 5, registrationHour: 3 },
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
  const file = join(mkdtempSync(join(tmpdir(), 'watchpost-')), 'key')
  writeFileSync(file, 'sesame\n')
  expect(readConfig({}, { WATCHPOST_INSTANCE_KEY_FILE: file }, false).instanceKey).toBe('sesame')
})

test('an IPv6 address stands in brackets', () => {
  expect(readConfig({ listen: '[::1]:8080' }, {}, false).listen).toEqual({ host: '::1', port: 8080 })
})

test('limits are numbers, 0 included; proxies are addresses and CIDRs', () => {
  const env = { WATCHPOST_RATE_LIMIT_TOKEN_MINUTE: '60', WATCHPOST_TRUSTED_PROXIES: '10.0.0.0/8, ::1,' }
  expect(readConfig({}, env, false)).toMatchObject({
    rateLimits: { tokenHour: 0, tokenMinute: 60 },
    trustedProxies: [
      { net: '10.0.0.0', bits: 8 },
      { net: '::1', bits: 128 },
    ],
  })
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
  ])('%s=%s', (name, value) => {
    expect(() => readConfig({}, { [name]: value }, false)).toThrow(UsageError)
    expect(() => readConfig({}, { [name]: value }, false)).toThrow(name)
  })
})
