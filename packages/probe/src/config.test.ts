import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Env, type Flags, resolveRunConfig, UsageError } from './config.ts'

const file = join(mkdtempSync(join(tmpdir(), 'watchpost-config-')), 'token')
writeFileSync(file, 'from-file\n')
afterAll(() => rmSync(dirname(file), { recursive: true }))
const server = 'http://127.0.0.1:8080'
const base: Env = { WATCHPOST_URL: server, WATCHPOST_PROBE_TOKEN: 'from-env' }

describe('resolveRunConfig', () => {
  it('has defaults for everything but the server and the token', () => {
    expect(resolveRunConfig({}, base)).toMatchObject({
      server,
      token: 'from-env',
      spoolDir: './probe-spool',
      concurrency: 100,
      healthListen: undefined,
      logLevel: 'info',
      logFormat: 'json',
    })
  })

  it.each<[string, Flags, Env, object]>([
    ['a flag beats the environment', { server: 'https://a.test/' }, base, { server: 'https://a.test' }],
    ['the environment beats the default', {}, { ...base, WATCHPOST_CONCURRENCY: '7' }, { concurrency: 7 }],
    ['an empty variable is none', {}, { ...base, WATCHPOST_CONCURRENCY: '' }, { concurrency: 100 }],
    ['--token beats the environment', { token: 'flag' }, base, { token: 'flag' }],
    ['--token-file beats the environment', { tokenFile: file }, base, { token: 'from-file' }],
    [
      'a token beats a token file, both from the environment',
      {},
      { ...base, WATCHPOST_PROBE_TOKEN_FILE: file },
      { token: 'from-env' },
    ],
    [
      'a token file may come from the environment',
      {},
      { WATCHPOST_URL: server, WATCHPOST_PROBE_TOKEN_FILE: file },
      { token: 'from-file' },
    ],
    ['a path before /v1 stays', { server: 'https://a.test/watch/' }, base, { server: 'https://a.test/watch' }],
    ['an address', { healthListen: '0.0.0.0:9100' }, base, { healthListen: { host: '0.0.0.0', port: 9100 } }],
    ['an IPv6 address', { healthListen: '[::1]:0' }, base, { healthListen: { host: '::1', port: 0 } }],
    ['every address', { healthListen: ':9100' }, base, { healthListen: { host: '', port: 9100 } }],
    ['plain is pretty', { logFormat: 'plain' }, base, { logFormat: 'pretty' }],
  ])('%s', (_, flags, env, expected) => {
    expect(resolveRunConfig(flags, env)).toMatchObject(expected)
  })

  it.each<[string, Flags, Env, RegExp]>([
    ['no server', {}, { WATCHPOST_PROBE_TOKEN: 'x' }, /--server URL or set WATCHPOST_URL/],
    ['no token', {}, { WATCHPOST_URL: server }, /--token-file FILE/],
    ['a server that is no URL', { server: 'localhost:8080' }, base, /^--server: "localhost:8080" is not an http/],
    ['a variable with no URL', {}, { ...base, WATCHPOST_URL: 'x' }, /^WATCHPOST_URL: "x"/],
    ['a password in the URL', { server: 'http://u:p@a.test' }, base, /without user/],
    ['two tokens', { token: 'a', tokenFile: file }, base, /not both/],
    ['a token file that is missing', { tokenFile: '/nowhere' }, base, /^--token-file: cannot read \/nowhere: ENOENT/],
    ['a token with a line break', { token: 'a\nb' }, base, /^--token: the token is empty or holds blanks/],
    ['no concurrency', { concurrency: '0' }, base, /^--concurrency: "0" is not a whole number/],
    ['a port that is none', { healthListen: 'localhost:99999' }, base, /^--health-listen: .* is not HOST:PORT/],
    ['a level that is none', { logLevel: 'loud' }, base, /^--log-level: "loud" is not one of trace,/],
  ])('refuses %s', (_, flags, env, message) => {
    expect(() => resolveRunConfig(flags, env)).toThrow(message)
    expect(() => resolveRunConfig(flags, env)).toThrow(UsageError)
  })

  it('never quotes a token', () => {
    expect(() => resolveRunConfig({ token: 'secret word' }, base)).not.toThrow(/secret/)
  })

  it('takes sizes and witnesses, and says how they are written', () => {
    const env = { WATCHPOST_URL: 'http://a', WATCHPOST_PROBE_TOKEN: 'x' }
    expect(resolveRunConfig({ spoolSize: '500MB', witness: '10.0.0.1:53, [fd00::1]:443' }, env)).toMatchObject({
      spoolSize: 500_000_000,
      witness: [
        { host: '10.0.0.1', port: 53 },
        { host: 'fd00::1', port: 443 },
      ],
    })
    expect(resolveRunConfig({}, env)).toMatchObject({ spoolSize: 1_000_000_000, witness: [] })
    expect(() => resolveRunConfig({ spoolSize: '1MB' }, env)).toThrow(
      '--spool-size: "1MB" is not a size of 5MB or more',
    )
    expect(() => resolveRunConfig({ witness: 'gateway' }, env)).toThrow('--witness: "gateway" is not HOST:PORT')
    expect(() => resolveRunConfig({ witness: ':53' }, env)).toThrow('a witness is HOST:PORT')
  })
})
