import { expect, test } from 'vitest'
import { said } from './testing/said.ts'

/** Every command with the words before it, as its help lists them. */
async function paths(before: string[]): Promise<string[][]> {
  const { out } = await said(...before, '--help')
  const listed = out.split(/^Commands:\n/m)[1]?.split('\n\n')[0] ?? ''
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name ?? '').filter(name => name !== 'help')
  return [before, ...(await Promise.all(names.map(name => paths([...before, name])))).flat()]
}

test('every command has examples', async () => {
  const all = await paths([])
  expect(all.length).toBeGreaterThan(12)
  for (const path of all) {
    const { code, out } = await said(...path, '--help')
    const has = /^Examples:\n {2}watchpost-server /m.test(out)
    expect([code, path.join(' '), has]).toEqual([0, path.join(' '), true])
  }
})

test.each([
  [['backups'], `watchpost-server: unknown command 'backups'; "watchpost-server --help" lists them\n`],
  [['backups', 'create', '--data-dir', 'x'], `watchpost-server: unknown command 'backups'`],
  [['backup', 'restore'], "missing required argument 'path'"],
  [['serve', 'backup'], 'too many arguments'],
])('%j is refused', async (argv, message) => {
  const { code, out, err } = await said(...argv)
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
})
