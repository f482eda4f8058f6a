import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../../packages/cli/src/exit.ts'
import { lonelyProbe, Person } from '../people.ts'
import { type Ran, World } from '../world.ts'

const execute = promisify(execFile)
const bin = new URL('../../bin', import.meta.url).pathname
const page = readFileSync(new URL('../../docs/monitorctl.md', import.meta.url), 'utf8')

/** Rows of the page's tables whose first cell matches, as their cells. */
const rows = (first: RegExp) =>
  page
    .split('\n')
    .filter(line => first.test(line))
    .map(line => line.split('|').map(cell => cell.trim().replaceAll(/^`|`$/g, '')))

const calls = rows(/^\| `/).map(([, call = '', code, stdout = '', stderr = '']) => ({
  call,
  code: Number(code),
  stdout,
  stderr,
}))

let world: World

beforeAll(async () => {
  world = await World.create()
  await world.server()
  const owner = new Person(world, world.credentials.api_token)
  const probe = await lonelyProbe(world, owner)
  for (const [name, status] of [
    ['Shop', 'online'],
    ['Mail', 'offline'],
  ]) {
    const options = { confirmations: 1 }
    const { body } = await owner.post('/v1/monitors', { name, type: 'tcp', target: 'a.example:25', options })
    await probe.get('/v1/probe/get-checks?limit=100')
    const error_message = status === 'offline' ? 'refused' : undefined
    const result = { monitor_id: body.data.id, status, response_time_ms: 20, error_message }
    expect((await probe.post('/v1/probe/check-result', result)).body.data.status).toBe(status)
  }
})
afterAll(() => world.close())

/** The line as a shell of a pipeline runs it: nobody at a terminal. */
async function shell(line: string): Promise<Ran> {
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: world.dir,
    WATCHPOST_URL: world.url,
    WATCHPOST_TOKEN: world.credentials.api_token,
  }
  try {
    return { code: 0, ...(await execute('sh', ['-c', line], { env, cwd: world.dir })) }
  } catch (error) {
    return error as Ran
  }
}

test('the page names the exit codes that there are', () => {
  const named = rows(/^\| [\d, ]+ +\|/).flatMap(([, codes = '']) => codes.split(', ').map(Number))
  expect(named.filter(code => code !== 129 && code !== 143)).toEqual(Object.values(exitCodes))
})

describe('calls as the page tells them', () => {
  test('are forty at least', () => expect(calls.length).toBeGreaterThanOrEqual(40))

  test.each(calls)('$call', async ({ call, ...told }) => {
    const ran = await shell(call)
    const says = (text: string, part: string) => (part === '-' ? text === '' : text.includes(part))
    expect(
      [ran.code, says(ran.stdout, told.stdout), says(ran.stderr, told.stderr)],
      `${ran.stdout}\n${ran.stderr}`,
    ).toEqual([told.code, true, true])
    // Nobody looks: no colour, and JSON is JSON.
    expect(ran.stdout + ran.stderr).not.toContain('\u001b')
    if (call.includes('-o json')) JSON.parse(ran.stdout)
  })
})
