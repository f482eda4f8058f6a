import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { resolveServer } from './config.ts'

const dir = mkdtempSync(join(tmpdir(), 'cli-config-'))
afterAll(() => rmSync(dir, { recursive: true }))
mkdirSync(join(dir, 'watchpost'))
mkdirSync(join(dir, 'broken', 'watchpost'), { recursive: true })
const contexts = { home: { url: 'http://context:1', token: 'from-context' } }
writeFileSync(join(dir, 'watchpost', 'config.json'), JSON.stringify({ current: 'home', contexts }))
writeFileSync(join(dir, 'broken', 'watchpost', 'config.json'), '{')
writeFileSync(join(dir, 'token'), 'from-file\n')

const none = { HOME: '/nonexistent' }
const env = { ...none, WATCHPOST_URL: 'http://env:1', WATCHPOST_TOKEN: 'from-env' }
const context = { XDG_CONFIG_HOME: dir }
const file = { ...none, WATCHPOST_URL: 'http://env:1', WATCHPOST_TOKEN_FILE: join(dir, 'token') }

test.each([
  ['flags beat the environment', { url: 'http://flag:1', token: 'from-flag' }, env, ['http://flag:1', 'from-flag']],
  ['a flag beats only its own variable', { url: 'http://flag:1' }, env, ['http://flag:1', 'from-env']],
  ['the environment beats the context', {}, { ...env, ...context }, ['http://env:1', 'from-env']],
  ['the context serves when nothing else does', {}, context, ['http://context:1', 'from-context']],
  [
    'a context without its server named again',
    { url: 'http://context:1/' },
    context,
    ['http://context:1', 'from-context'],
  ],
  ['an empty variable is not set', {}, { ...context, WATCHPOST_URL: '' }, ['http://context:1', 'from-context']],
  ['a token may be in a file', {}, file, ['http://env:1', 'from-file']],
  ['a token beats its file', {}, { ...file, WATCHPOST_TOKEN: 'from-env' }, ['http://env:1', 'from-env']],
])('%s', (_, flags, given, [url, token]) => {
  expect(resolveServer(flags, given)).toEqual({ url, token })
})

test.each([
  ['nothing at all', {}, none, /no server given: set --url and --token, or WATCHPOST_URL and WATCHPOST_TOKEN/],
  ['no token', { url: 'http://a' }, none, /no token given for http:\/\/a: set --token/],
  ['a context token for another server', { url: 'http://evil:1' }, context, /no token given for http:\/\/evil:1/],
  ['a URL that is none', { url: 'localhost:8080', token: 't' }, none, /server URL "localhost:8080": must be like/],
  [
    'a URL with a password',
    { url: 'http://u:secret@h', token: 't' },
    none,
    /^(?!.*secret).*must not hold a name or password/,
  ],
  ['a token with a line end inside', { url: 'http://a', token: 'sec\nret' }, none, /^(?!.*sec).*token: holds a space/],
  ['an empty token', { url: 'http://a', token: '' }, env, /^token: is empty/],
  ['a token file that is missing', { url: 'http://a' }, { WATCHPOST_TOKEN_FILE: '/no' }, /cannot read \/no \(ENOENT\)/],
  ['a config that is no JSON', {}, { XDG_CONFIG_HOME: join(dir, 'broken') }, /config\.json: is not JSON/],
])('%s is a usage error that says what to set', (_, flags, given, message) => {
  expect(() => resolveServer(flags, given)).toThrow(message)
})

test('a public route needs no token', () => {
  expect(resolveServer({ url: 'http://a' }, none, true)).toEqual({ url: 'http://a', token: undefined })
})
