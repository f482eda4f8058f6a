import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { repeats } from './format/maintenance.ts'
import { monitorctl } from './testing/monitorctl.ts'
import { maintenance, type Seen, type ServerDouble, startServerDouble } from './testing/server-double.ts'

let server: ServerDouble
beforeEach(async () => {
  server = await startServerDouble({ 'maintenance-windows': [maintenance()] })
})
afterEach(() => server.close())

const path = '/v1/maintenance-windows'
const run = (line: string) => monitorctl(line.split(' '), { server })
const last = () => server.seen.at(-1) as Seen
const node = (code: string) => ['--', process.execPath, '-e', code]

describe('what is asked of the server', () => {
  const monday = '2026-11-23T01:00:00+01:00'
  test.each([
    [
      'list --status active --sort next_start_at',
      `GET ${path}`,
      { status: 'active', sort: 'next_start_at' },
      undefined,
    ],
    ['get 1', `GET ${path}/1`, {}, undefined],
    ['delete 1 --yes', `DELETE ${path}/1`, {}, undefined],
    [
      `create --title Disks --monitor 7 --monitor 9 --starts-at ${monday} --for 90m --time-zone Europe/Berlin`,
      `POST ${path}`,
      {},
      { title: 'Disks', monitor_ids: [7, 9], starts_at: monday, duration: 5400, time_zone: 'Europe/Berlin' },
    ],
    [
      `create --title Disks --all-monitors --ends-at ${monday} --description Longer.`,
      `POST ${path}`,
      {},
      { title: 'Disks', all_monitors: true, ends_at: monday, description: 'Longer.' },
    ],
    ['create --title A --monitor 7 --for 1h --daily', `POST ${path}`, {}, { recurrence: { frequency: 'daily' } }],
    [
      'create --title A --monitor 7 --for 1h --weekly sun,Thursday --every 2 --until 2027-01-01T00:00:00Z',
      `POST ${path}`,
      {},
      {
        recurrence: {
          frequency: 'weekly',
          weekdays: ['sunday', 'thursday'],
          interval: 2,
          until: '2027-01-01T00:00:00Z',
        },
      },
    ],
    [
      'create --title A --monitor 7 --for 2d --monthly 31',
      `POST ${path}`,
      {},
      { duration: 172_800, recurrence: { day_of_month: 31 } },
    ],
    ['update 1 --for 3h', `PATCH ${path}/1`, {}, { duration: 10_800 }],
    ['update 1 --once --monitor 3', `PATCH ${path}/1`, {}, { recurrence: null, monitor_ids: [3] }],
  ])('%s', async (line, request, query, body) => {
    expect(await run(`maintenance ${line}`)).toMatchObject({ code: 0 })
    expect(`${last().method} ${last().path}`).toBe(request)
    expect(last().query).toEqual(query)
    if (body === undefined) expect(last().body).toBeUndefined()
    else expect(last().body).toMatchObject(body)
  })

  test('a file holds the same fields, and flags override', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'monitorctl-'))
    const file = join(folder, 'window.yaml')
    writeFileSync(file, 'title: Disks\nmonitor_ids: [7]\nduration: 10m\nrecurrence: { frequency: daily }\n')
    expect(await run(`maintenance create -f ${file} --title Other -o json`)).toMatchObject({ code: 0 })
    expect(last().body).toEqual({ title: 'Other', monitor_ids: [7], duration: 600, recurrence: { frequency: 'daily' } })
    rmSync(folder, { recursive: true })
  })

  test.each([
    ['create --title A --monitor 7', '--for: is required, or --ends-at'],
    ['create --monitor 7 --for 1h', '--title: is required'],
    ['create --title A --monitor 7 --for soon', '--for: must be a time such as'],
    ['create --title A --monitor 7 --for 1h --daily --weekly', 'give one of --daily'],
    ['create --title A --monitor 7 --for 1h --every 2', '--every and --until say more of'],
    ['create --title A --monitor 7 --for 1h --weekly mo', '--weekly: must be days such as mon,thu'],
    ['create --title Two words --monitor 7 --for 1h', 'unexpected word "words"'],
    ['create --monitor 7 --for 1h --daily -- true', 'a window around a command starts now'],
    ['create --for 1h extra -- true', 'unexpected word "extra"'],
    ['update 1', 'nothing to change'],
  ])('%s asks nothing', async (line, message) => {
    expect(await run(`maintenance ${line}`)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    expect(server.seen).toEqual([])
  })
})

describe('a window around a command', () => {
  const around = (code: string, more: Parameters<typeof monitorctl>[1] = {}) =>
    monitorctl(['maintenance', 'create', '--monitor', '7', '--for', '10m', ...node(code)], { server, ...more })

  test('is there before the command starts, ends when it does, and gives back its code', async () => {
    const { code, stderr, stdout } = await around('process.exit(7)')
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect(stderr).toMatch(/Maintenance window 2 "Maintenance" is active.*\nMaintenance window 2 has ended\.\n/)
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'PATCH'])
    expect(server.seen[0]?.body).toEqual({ title: 'Maintenance', monitor_ids: [7], duration: 600 })
    const { ends_at } = last().body as { ends_at: string }
    const ran = Date.parse(ends_at) - Date.parse('2026-11-21T09:30:00.000Z')
    expect(ran).toBeGreaterThan(10)
    expect(ran).toBeLessThan(60_000)
  })

  test('without a window the command does not run', async () => {
    const world = { server, env: { WATCHPOST_TOKEN: 'wrong' } }
    expect(await around('process.exit(7)', world)).toMatchObject({ code: 3 })
  })

  test('a command that cannot be run ends it, too', async () => {
    const missing = await run('maintenance create --monitor 7 --for 10m -- /nonexistent/program')
    expect(missing).toMatchObject({ code: 127, stderr: expect.stringContaining('cannot run /nonexistent/program') })
    expect(last().method).toBe('PATCH')
  })

  test('told to stop, it tells the command, waits for it, ends the window, and still gives back its code', async () => {
    const stop = new AbortController()
    server.instead = ({ method }) => {
      if (method === 'POST') setTimeout(() => stop.abort(143), 1500)
      return false
    }
    const code = "process.on('SIGTERM', () => setTimeout(() => process.exit(9), 800)); setInterval(() => {}, 1000)"
    expect(await around(code, { signal: stop.signal })).toMatchObject({ code: 9 })
    expect(last().method).toBe('PATCH')
  })

  test('a server that is away at the end does not change the code', async () => {
    server.instead = ({ method }, response) => method === 'PATCH' && Boolean(response.destroy())
    expect(await around('process.exit(5)')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('could not be ended'),
    })
  })
})

test.each([
  [null, '-'],
  [{ frequency: 'daily', interval: 1, weekdays: null, day_of_month: null, until: null }, 'daily'],
  [{ frequency: 'weekly', interval: 2, weekdays: ['monday'], day_of_month: null, until: null }, 'every 2 weeks: mon'],
  [{ frequency: 'monthly', interval: 1, weekdays: null, day_of_month: 31, until: null }, 'monthly: 31'],
])('%j is said as %s', (recurrence, said) => {
  expect(repeats(recurrence as Parameters<typeof repeats>[0])).toBe(said)
})
