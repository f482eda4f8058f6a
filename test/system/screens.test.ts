import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { lonelyProbe, Person } from '../people.ts'
import { httpTarget, type Target } from '../targets.ts'
import { Terminal } from '../terminal.ts'
import { eventually, World } from '../world.ts'

let world: World
let owner: Person
let probe: Person
let env: Record<string, string>
let viewer: string
const terminals: Terminal[] = []
const count = 1000

const see = (monitor_id: number, status: string) =>
  probe.post('/v1/probe/check-result', {
    monitor_id,
    status,
    response_time_ms: 20,
    ...(status === 'offline' ? { error_message: 'refused' } : {}),
  })

beforeAll(async () => {
  world = await World.create()
  await world.server()
  owner = new Person(world, world.credentials.api_token)
  probe = await lonelyProbe(world, owner)
  env = { WATCHPOST_URL: world.url, WATCHPOST_TOKEN: world.credentials.api_token, HOME: world.dir }
  viewer = (await world.ctl<{ token: string }>('tokens', 'create', '--name', 'v', '--role', 'viewer')).token
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  for (let from = 0; from < count; from += 50) {
    await Promise.all(
      numbers.slice(from, from + 50).map(number =>
        owner.post('/v1/monitors', {
          name: `Service ${String(number).padStart(4, '0')}`,
          type: 'tcp',
          target: `host${number}.example:25`,
          options: { confirmations: 1 },
        }),
      ),
    )
  }
  await probe.get(`/v1/probe/get-checks?limit=${count}`)
})
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.close()
})
afterAll(() => world.close())

async function open(command: string, more: Record<string, string> = {}): Promise<Terminal> {
  const terminal = await Terminal.open(command, { ...env, ...more })
  terminals.push(terminal)
  return terminal
}

/** The shell has its screen back, with a cursor, and says how the program ended. */
async function endedWith(terminal: Terminal, code: number): Promise<void> {
  await eventually('the screen is left', async () => (await terminal.is('#{alternate_on}')) === '0')
  // Until then the program may still read what is typed.
  await eventually('the shell is back', async () => (await terminal.is('#{pane_current_command}')) === 'sh')
  expect(await terminal.is('#{cursor_flag}')).toBe('1')
  await terminal.type('echo "code=$?"', 'Enter')
  // What is typed is seen: the terminal is in no raw mode.
  await terminal.shows(`echo "code=$?"`)
  await terminal.shows(`code=${code}\n`)
}

const pidOf = async (terminal: Terminal): Promise<number> => {
  const { execFileSync } = await import('node:child_process')
  const shell = await terminal.is('#{pane_pid}')
  return Number(execFileSync('pgrep', ['-P', shell], { encoding: 'utf8' }).trim().split('\n')[0])
}

describe('top', () => {
  test('shows a thousand at 80x24, and each change as it comes', async () => {
    const terminal = await open('monitorctl top')
    const screen = await terminal.shows(`${count} monitors`)
    expect(screen.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
    expect(screen).toMatch(/STATUS +NAME +LATEST +RESPONSE +24 H +NEXT/)
    const { body } = await owner.get('/v1/monitors?name=Service 0700')
    await see(body.data[0].id, 'offline')
    await terminal.shows(/❯ offline +Service 0700/)
    await terminal.shows(`${count} monitors, 1 offline`)
    await terminal.type('/')
    await terminal.shows('Filter: ')
    await terminal.type('0042')
    await terminal.shows(/^Watchpost +\S+ +1 of 1000/m)
    await terminal.type('Enter')
    await terminal.type('p')
    await terminal.shows('Service 0042 is paused')
    await terminal.type('p')
    await terminal.shows('Service 0042 is pending')
    await terminal.type('Escape')
    await terminal.shows(/ {2}1000 monitors, 1 offline/)
    await terminal.type('?')
    await terminal.shows('acknowledge its incident')
    await terminal.type('x')
    await terminal.shows('❯ offline')
    await terminal.type('g')
    await terminal.type('a')
    await terminal.shows('message: We are looking into it.')
    await terminal.type('Enter')
    await terminal.shows(/Incident \d+ is identified/)
    await terminal.type('Enter')
    await terminal.shows('refused')
    await terminal.type('q')
    await endedWith(terminal, 0)
  })

  test('rests while nothing changes, and draws changed lines alone', async () => {
    const terminal = await open('monitorctl top')
    await terminal.shows(`${count} monitors`)
    const before = await terminal.is('#{history_size}')
    const { body } = await owner.get('/v1/monitors?per_page=100&sort=id')
    await Promise.all(body.data.slice(0, 50).map(({ id }: { id: number }) => see(id, 'online')))
    await terminal.type('/', 'online', 'Enter', 's')
    await terminal.shows(', by name')
    await terminal.shows(/ 50 of 1000/)
    // Nothing was pushed off the top: a screen that is too long would have.
    expect(await terminal.is('#{history_size}')).toBe(before)
    expect(await terminal.is('#{pane_in_mode}')).toBe('0')
  })

  test.each([
    ['TERM', 143],
    ['HUP', 129],
    ['INT', 130],
  ])('SIG%s gives the terminal back', async (signal, code) => {
    const terminal = await open('monitorctl top')
    await terminal.shows('monitors')
    await eventually('it is full-screen', async () => (await terminal.is('#{alternate_on}')) === '1')
    process.kill(await pidOf(terminal), `SIG${signal}` as NodeJS.Signals)
    await endedWith(terminal, code)
  })

  test('a token that is revoked ends it in words, and the terminal is given back', async () => {
    const { id, token } = await world.ctl<{ id: number; token: string }>('tokens', 'create', '--name', 'gone')
    const terminal = await open('monitorctl top', { WATCHPOST_TOKEN: token })
    await eventually('it is full-screen', async () => (await terminal.is('#{alternate_on}')) === '1')
    await world.ctl('tokens', 'revoke', String(id))
    await terminal.shows('check the token')
    await endedWith(terminal, 3)
  })

  test('a viewer looks, and is told where that ends', async () => {
    const terminal = await open('monitorctl top', { WATCHPOST_TOKEN: viewer })
    await terminal.shows(`${count} monitors`)
    await terminal.type('p')
    await terminal.shows('a viewer only looks')
  })
})

describe('incidents timeline', () => {
  test('shows what was said, and says more', async () => {
    const { id } = await world.ctl<{ id: number }>('incidents', 'create', '--title', 'Checkout is slow')
    const terminal = await open('monitorctl incidents timeline')
    await terminal.shows(/❯ +\d+ +investigating +major +Checkout is slow/)
    await terminal.type('Enter')
    await terminal.shows(`incident ${id}, manual`)
    await terminal.type('a')
    await terminal.shows('We are looking into it.')
    await terminal.type('Enter')
    await terminal.shows(/^identified +major/m)
    await terminal.shows('│ We are looking into it.')
    // What others say appears by itself.
    await owner.post(`/v1/incidents/${id}/updates`, { message: 'The disk was replaced.', status: 'resolved' })
    await terminal.shows('│ The disk was replaced.')
    await terminal.shows(/^resolved +major +lasted/m)
    await terminal.type('Escape')
    await terminal.shows(/resolved +major +Checkout is slow/)
    await terminal.type('q')
    await endedWith(terminal, 0)
  })

  test('all that are open come first, however old; the rest is reached past the end', async () => {
    const made = Array.from({ length: 205 }, (_, number) => ({
      title: number < 3 ? `Forgotten ${number}` : `Outage ${number}`,
      status: number < 3 ? 'investigating' : 'resolved',
      started_at: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString(),
    }))
    const ids: number[] = []
    for (let from = 0; from < made.length; from += 41) {
      const answers = await Promise.all(made.slice(from, from + 41).map(each => owner.post('/v1/incidents', each)))
      ids.push(...answers.map(({ body }) => body.data.id))
    }
    const { body } = await owner.get('/v1/incidents?per_page=1')
    const total = body.meta.total
    const terminal = await open('monitorctl incidents timeline')
    const screen = await terminal.shows(`${total} incidents, `)
    for (const number of [0, 1, 2]) expect(screen).toMatch(new RegExp(`investigating +major +Forgotten ${number}`))
    expect(screen).toContain(`${total - 100} older ones: ↓ past the end, or G`)
    await terminal.type('G')
    await terminal.shows(new RegExp(`^  ${total - 200} older ones`, 'm'))
    await terminal.type('G', 'Down')
    await terminal.shows(/❯ +\d+ +resolved +major +Outage 3 /)
    expect(await terminal.screen()).not.toContain('older ones')
    await terminal.type('q')
    await endedWith(terminal, 0)
    for (const id of ids) await owner.delete(`/v1/incidents/${id}`)
  })

  test('Enter that arrives with the text ends it, and what follows is keys', async () => {
    const { id } = await world.ctl<{ id: number }>('incidents', 'create', '--title', 'Search is slow')
    const terminal = await open('monitorctl incidents timeline')
    await terminal.shows(/❯ +\d+ +investigating +major +Search is slow/)
    await terminal.type('u', 'on it', 'Enter', 'Enter')
    await terminal.shows('│ on it')
    await terminal.type('u')
    await terminal.shows('Update, incident')
    await terminal.paste('one\ntwo')
    await terminal.shows(': one two▏')
    await terminal.type('Enter', 'Escape', 'q')
    await endedWith(terminal, 0)
    const { body } = await owner.get(`/v1/incidents/${id}`)
    expect(body.data.updates.map(({ message }: { message: string }) => message)).toEqual(
      expect.arrayContaining(['on it', 'one two']),
    )
    await owner.delete(`/v1/incidents/${id}`)
  })

  test('a viewer may not', async () => {
    const terminal = await open('monitorctl incidents timeline', { WATCHPOST_TOKEN: viewer })
    await terminal.shows('Checkout is slow')
    await terminal.type('a')
    await terminal.shows('We are looking into it.')
    await terminal.type('Enter')
    await terminal.shows('a viewer only looks')
  })
})

describe('monitors create without flags', () => {
  let target: Target
  beforeAll(async () => {
    target = await httpTarget()
  })
  afterAll(() => target.stop())

  test('asks, asks again for what the server refuses, and tries what it made', async () => {
    const terminal = await open('monitorctl monitors create')
    await terminal.shows('What to watch')
    await terminal.type('not an address', 'Enter')
    await terminal.shows('target: must not contain spaces or control characters')
    await terminal.type('shop.example', 'Enter')
    await terminal.shows(/Type: .*\[ping\]/)
    await terminal.type('ftp', 'Enter')
    await terminal.shows('"ftp" is none of them')
    await terminal.type('http', 'Enter')
    await terminal.shows('target: must be a URL that starts with http://')
    await terminal.shows('What to watch (a URL, host:port or host) [shop.example]:')
    await terminal.type(String(target.monitor.target), 'Enter')
    await terminal.shows(`Name [${new URL(String(target.monitor.target)).host}]`)
    await terminal.type('Shop', 'Enter')
    await terminal.shows('Seconds between checks [60]')
    await terminal.type('5', 'Enter')
    await terminal.shows(/ interval: /)
    await terminal.type('60', 'Enter')
    await terminal.shows('Its first check…')
    const { body } = await owner.get('/v1/monitors?name=Shop')
    await probe.get('/v1/probe/get-checks?limit=1000')
    await see(body.data[0].id, 'online')
    await terminal.shows('It answers, in 20 ms.')
    await terminal.shows(/^status: +online/m)
  })

  test.each(['C-c', 'C-d'])('%s leaves without making one', async key => {
    const terminal = await open('monitorctl monitors create')
    await terminal.shows('What to watch')
    await terminal.type(key)
    await endedWith(terminal, 130)
  })
})
