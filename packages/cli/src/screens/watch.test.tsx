import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type CheckRecord, type Monitor, UnreachableError } from '@watchpost/contract'
import { cleanup, render } from 'ink-testing-library'
import { afterEach, expect, test, vi } from 'vitest'
import { check, monitor } from '../testing/server-double.ts'
import type { Feed } from '../watch/feed.ts'
import { textWidth } from '../width.ts'
import { Watch, type WatchProps } from './watch.tsx'

afterEach(cleanup)

const shop = monitor() as Monitor
const mail = monitor({ id: 2, name: 'Mail \u001b[2J', status: 'offline', last_check_at: null }) as Monitor
const checks = [check(), check({ run_id: 'r2', status: 'offline', error_kind: 'timeout' })] as CheckRecord[]

const feedOf = (over: Partial<Feed> = {}): Feed => ({
  monitors: async () => [shop, mail],
  monitor: async () => ({ monitor: shop, checks }),
  ...over,
})

function open(over: Partial<WatchProps> = {}) {
  const props = { feed: feedOf(), first: [shop, mail], id: undefined, intervalMs: 30, url: 'http://wp', colour: false }
  const screen = render(<Watch {...props} onInterrupt={() => {}} {...over} />)
  const frame = () => screen.lastFrame() ?? ''
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      await sleep(10)
      screen.stdin.write(key)
    }
  }
  const shows = (part: string | RegExp) => vi.waitFor(() => expect(frame()).toMatch(part), { timeout: 10_000 })
  return { frame, press, shows, screen }
}

const down = '\u001b[B'
const up = '\u001b[A'
const enter = '\r'
const esc = '\u001b'

test('the list shows what is bad first, selected, escaped and with its keys', async () => {
  const { frame, shows } = open()
  await shows('❯ offline')
  const lines = frame().split('\n')
  expect(lines[0]).toMatch(/^Watchpost {2}http:\/\/wp +2 monitors, 1 offline$/)
  expect(lines[1]).toMatch(/STATUS +NAME +TYPE +TARGET +RESPONSE +24 H +CHECKED/)
  expect(lines[2]).toMatch(/^❯ offline +Mail \\e\[2J +https .* 132 ms +99\.98 % +-/)
  expect(lines[3]).toMatch(/^ {2}online +Shop front/)
  expect(frame()).toContain('↑↓ move   enter open   ? keys   q quit')
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(100)
})

test.each([
  [[down], '❯ online'],
  [['j'], '❯ online'],
  [['j', 'j', 'j', 'k'], '❯ offline'],
  [[down, up], '❯ offline'],
  [['G'], '❯ online'],
  [['G', 'g'], '❯ offline'],
  [['?'], 'move a page'],
  [['?', 'x'], '❯ offline'],
])('%j moves', async (keys, part) => {
  const { press, shows } = open()
  await press(...keys)
  await shows(part)
})

test('enter opens one with its sparkline and checks, escape goes back', async () => {
  const { press, shows, frame } = open()
  await press('j', enter)
  await shows(/Response time of the last 2 checks: 120 ms to 120 ms, × failed/)
  expect(frame()).toMatch(/^Shop front +https every 60 s/)
  expect(frame()).toMatch(/online {3}132 ms {3}99\.98 % in 24 h {3}checked/)
  expect(frame()).toContain('×▄')
  expect(frame()).toMatch(/2026-11-21 09:30:00Z +offline .*timeout/)
  await press(esc)
  await shows('❯ online')
})

test('one monitor alone has no list to go back to', async () => {
  const { press, shows, frame } = open({ id: 1 })
  await shows('? keys   q quit')
  expect(frame()).not.toContain('esc back')
  await press(esc)
  await sleep(50)
  expect(frame()).toMatch(/^Shop front/)
})

test('the selection stays on its monitor when others pass it', async () => {
  let now = [shop, mail]
  const { press, shows } = open({ feed: feedOf({ monitors: async () => now }) })
  await press('j')
  await shows(/❯ online +Shop/)
  now = [
    { ...shop, status: 'offline' },
    { ...mail, status: 'online' },
  ]
  await shows(/❯ offline +Shop/)
})

test('a server that goes away: the data stays, marked stale, and comes back', async () => {
  let away = false
  const { shows, frame } = open({
    feed: feedOf({
      async monitors() {
        if (away) throw new UnreachableError('Cannot reach http://wp: connection refused')
        return [shop, mail]
      },
    }),
  })
  await shows('q quit')
  away = true
  await shows(/stale since \d\d:\d\d:\d\d, retrying: connection refused/)
  expect(frame()).toContain('Shop front')
  away = false
  await shows('q quit')
  expect(frame()).not.toContain('stale')
})

test('the screen is one line shorter than the terminal', async () => {
  const many = Array.from({ length: 200 }, (_, id) => monitor({ id: id + 1, name: `m${id}` }) as Monitor)
  const { shows, frame, press } = open({ first: many, feed: feedOf({ monitors: async () => many }) })
  await shows('200 monitors')
  const rows = frame().split('\n').length
  expect(rows).toBeLessThan(200)
  await press('G')
  await shows('❯ online  m199')
  expect(frame().split('\n')).toHaveLength(rows)
})

test('colour only where it is wanted', async () => {
  const { shows, frame } = open()
  await shows('q quit')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for colour
  expect(frame()).not.toMatch(/\u001b\[3\dm/)
})

test('q quits, Ctrl-C says so, and a revoked token ends it', async () => {
  const onInterrupt = vi.fn()
  const first = open({ onInterrupt })
  await first.press('\u0003')
  await vi.waitFor(() => expect(onInterrupt).toHaveBeenCalledOnce(), { timeout: 10_000 })

  const monitors = vi.fn(async () => [shop])
  const second = open({ feed: feedOf({ monitors }) })
  await second.press('q')
  await sleep(100)
  const asked = monitors.mock.calls.length
  await sleep(150)
  expect(monitors).toHaveBeenCalledTimes(asked)

  const refused = vi.fn(async () => {
    throw new ApiError('unauthorized', 'Invalid token')
  })
  open({ feed: feedOf({ monitors: refused }) })
  await sleep(150)
  expect(refused).toHaveBeenCalledOnce()
})
