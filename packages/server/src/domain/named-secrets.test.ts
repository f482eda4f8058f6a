import { expect, test } from 'vitest'
import { namedSecrets } from './named-secrets.ts'

test.each([
  ['monitors.0.options.body', true],
  ['monitors.0.options.body.inner', true],
  ['monitors.0.options.bodyguard', false],
  ['monitors.0.options', true],
  ['monitors.0.options.headers', true],
  ['monitors.0.options.head', false],
  ['monitors.0.options.headers.X', true],
  ['monitors.0.options.headers.Y', false],
  ['monitors.1.options.body', false],
  ['monitors.1.name', false],
  ['channels.0.to', true],
  ['channels.0.to.0', true],
  ['channels.0.to.1', false],
])('of %s: %s', (path, hidden) => {
  const hides = namedSecrets(['monitors.0.options.headers.X', 'channels.0.to.0', 'monitors.0.options.body'])
  expect(hides(path)).toBe(hidden)
})

test('none named hides nothing', () => {
  expect(namedSecrets([])('monitors.0.name')).toBe(false)
})

test('neither a name of dots nor secrets of dots take long', () => {
  const secrets = Array.from({ length: 20_000 }, (_, index) => `${index}${'.'.repeat(490)}`)
  const started = performance.now()
  const hides = namedSecrets(secrets)
  const name = `monitors.0.options.headers.${'.'.repeat(60_000)}`
  for (let turn = 0; turn < 1000; turn++) expect(hides(name)).toBe(false)
  expect(performance.now() - started).toBeLessThan(20_000)
})
