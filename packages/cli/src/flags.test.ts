import { routes } from '@watchpost/contract'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { addFlags, flagOfField, flagsOf, quotesFor, valuesOf } from './flags.ts'

const monitor = flagsOf(routes.createMonitor.body)
const token = flagsOf(routes.createToken.body)
const incident = flagsOf(routes.createIncident.body)
const page = flagsOf(routes.createStatusPage.body)

function parse(flags: typeof monitor, argv: string[]) {
  const command = new Command()
  addFlags(command, flags, 'Fields:')
  return valuesOf(flags, command.parse(argv, { from: 'user' }).opts())
}

test('every property of a body is a flag', () => {
  expect(monitor.map(flag => flag.name)).toEqual([
    '--name', '--target', '--type', '--interval', '--timeout', '--method',
    '--ssl-verify', '--enabled', '--is-active', '--option',
  ]) // biome-ignore format: two lines say it
  expect(monitor.filter(flag => flag.required).map(flag => flag.field)).toEqual(['name', 'target', 'type'])
  expect(token.map(flag => flag.name)).toEqual(['--name', '--role', '--scope', '--expires-at'])
})

test.each([
  ['text and numbers', monitor, ['--name', 'A', '--interval', '30'], { name: 'A', interval: 30 }],
  ['a boolean set', monitor, ['--ssl-verify', '--enabled', 'false'], { ssl_verify: true, enabled: false }],
  ['a boolean unset', monitor, ['--no-ssl-verify', '--no-enabled'], { ssl_verify: false, enabled: false }],
  ['nothing given, nothing sent', monitor, [], {}],
  ['options, JSON where it is JSON', monitor,
    ['--option', 'keyword=ok', '--option', 'expected_status=[200,"300-399"]', '--option', 'confirmations=3', '--option', 'q=a=b'],
    { options: { keyword: 'ok', expected_status: [200, '300-399'], confirmations: 3, q: 'a=b' } }],
  ['a list', token, ['--scope', 'a', '--scope', 'b'], { scopes: ['a', 'b'] }],
  ['a list of numbers', incident, ['--monitor-id', '7', '--monitor-id', '3'], { monitor_ids: [7, 3] }],
  ['null for what may be null', token, ['--expires-at', 'null'], { expires_at: null }],
  ['null as a name', monitor, ['--name', 'null'], { name: 'null' }],
  ['an object', page, ['--theme', 'layout=dark', '--description', ''], { theme: { layout: 'dark' }, description: '' }],
  ['a value that looks like a flag', monitor, ['--name', '-x'], { name: '-x' }],
])('%s', (_, flags, argv, values) => {
  expect(parse(flags, argv)).toEqual({ values, wrong: {} })
}) // biome-ignore format: a case a line

test('all wrong values are named at once', () => {
  const argv = ['--interval', '1.5', '--timeout', '', '--enabled', 'maybe', '--option', 'x']
  expect(parse(monitor, argv).wrong).toEqual({
    '--interval': 'must be a whole number, not "1.5"',
    '--timeout': 'must be a whole number, not ""',
    '--enabled': 'must be true or false, not "maybe"',
    '--option': 'must be key=value, not "x"',
  })
  expect(parse(incident, ['--monitor-id', '7', '--monitor-id', 'shop']).wrong).toEqual({
    '--monitor-id': 'must be a whole number, not "shop"',
  })
})

test.each([
  ['ssl_verify', '--ssl-verify'],
  ['options.keyword', '--option keyword'],
  ['options/json/0/path', '--option json.0.path'],
  ['options', '--option'],
  ['something_new', 'something_new'],
])('the server’s field %s is the flag %s', (field, flag) => {
  expect(flagOfField(monitor, field)).toBe(flag)
})

test.each([
  ['options.expect', 'must be a string', `; write --option 'expect="220"'`],
  ['options.expect', 'must not be empty', ''],
  ['options.keyword', 'must be a string', ''],
  ['name', 'must be a string', ''],
])('%s %s: the mend is %j', (field, message, mend) => {
  expect(quotesFor(monitor, { option: ['expect=1', 'expect=220'] }, field, message)).toBe(mend)
})
