import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ran, runProgram, World } from '../world.ts'

let world: World
const taken = createServer()

beforeAll(async () => {
  world = await World.create()
  await world.server()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await world.close()
  taken.close()
})

/** One line that a person can act on, a code that a script can, and nothing of the program's insides. */
function expectPlain(ran: Ran, code: number, ...mentions: string[]) {
  expect(ran.stderr).not.toMatch(/\n\s+at |Error:|node:internal/)
  for (const mention of mentions) expect(ran.stderr).toContain(mention)
  expect(ran.stderr.trim().split('\n').length, ran.stderr).toBeLessThanOrEqual(3)
  expect([ran.code, ran.stdout]).toEqual([code, ''])
}

describe('watchpost-server', () => {
  const serve = (...args: string[]) =>
    runProgram('watchpost-server', ['serve', '--data-dir', join(world.dir, 'other'), '--otlp-listen', 'off', ...args])

  test('a wrong flag', async () => expectPlain(await serve('--lissten', 'x'), 2, '--lissten', '--listen'))

  test('an address that is none', async () => expectPlain(await serve('--listen', 'here'), 2, '--listen', '"here"'))

  test('a port that is taken', async () => {
    const { port } = taken.address() as { port: number }
    expectPlain(await serve('--listen', `127.0.0.1:${port}`), 1, String(port), 'taken', '--listen')
  })

  test('a data directory that cannot be written', async () => {
    const ran = await runProgram('watchpost-server', [
      'serve',
      '--data-dir',
      '/dev/null/data',
      '--listen',
      '127.0.0.1:0',
    ])
    expectPlain(ran, 1, '/dev/null/data', '--data-dir')
  })

  test('a database that is not there', async () => {
    expectPlain(await serve('--database-url', 'postgres://me:sesame@127.0.0.1:1/db'), 1, '127.0.0.1:1', 'PostgreSQL')
  })

  test('a second bootstrap changes nothing', async () => {
    const ran = await runProgram('watchpost-server', ['bootstrap', ...world.storage, '--json'], world.env)
    expectPlain(ran, 1, 'has a team already')
  })
})

describe('watchpost-probe', () => {
  const run = (...args: string[]) =>
    runProgram('watchpost-probe', ['run', '--spool-dir', join(world.dir, 'spool'), ...args])

  test('a wrong flag', async () => expectPlain(await run('--sever', 'x'), 2, '--sever'))

  test('a wrong token', async () => {
    expectPlain(await run('--server', world.url, '--token', 'wp_probe_wrong'), 3, 'token')
  })

  test('an API token is not a probe token', async () => {
    expectPlain(await run('--server', world.url, '--token', world.credentials.api_token), 3, 'token')
  })

  test.each(['/dev/null/spool', '/proc/spool'])('a spool directory that cannot be written: %s', async dir => {
    const args = ['run', '--server', world.url, '--token', 'wp_probe_x', '--spool-dir', dir]
    expectPlain(await runProgram('watchpost-probe', args), 1, dir)
  })
})

describe('monitorctl', () => {
  const ctl = (env: Record<string, string>, ...args: string[]) =>
    runProgram('monitorctl', args, { WATCHPOST_URL: world.url, ...env })
  const token = { WATCHPOST_TOKEN: 'wp_api_wrong' }

  test('a wrong flag', async () =>
    expectPlain(await ctl(token, 'monitors', 'list', '--per-pge', '5'), 2, '--per-pge', '--per-page'))

  test('a wrong token', async () => expectPlain(await ctl(token, 'monitors', 'list'), 3, 'nauthorized'))

  test('no token and no server', async () => {
    expectPlain(
      await runProgram('monitorctl', ['monitors', 'list'], { XDG_CONFIG_HOME: '/nonexistent' }),
      2,
      'WATCHPOST_URL',
    )
  })

  test('a server that cannot be reached', async () => {
    const args = ['monitors', 'list', '--url', 'http://127.0.0.1:1', '--request-timeout', '1s']
    expectPlain(await ctl(token, ...args), 6, 'http://127.0.0.1:1')
  })

  test('a monitor that is not there', async () => {
    expectPlain(await world.monitorctl('monitors', 'get', '999'), 4, '999')
  })

  test('every field that is wrong, under the name of its flag', async () => {
    const ran = await world.monitorctl(
      'monitors',
      'create',
      '--name',
      'x',
      '--type',
      'http',
      '--target',
      'nope',
      '--interval',
      '5',
    )
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(
      /--target: .*\n.*--interval: must be 10 or more|--interval: must be 10 or more.*\n.*--target: /,
    )
  })
})
