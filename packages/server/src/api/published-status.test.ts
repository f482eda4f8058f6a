import type { Query } from '@watchpost/store'
import { beforeEach, expect, test } from 'vitest'
import { Changes } from '../changes.ts'
import type { Context } from '../context.ts'
import { PublishedPages } from './published-status.ts'

const page = {
  team_id: 7,
  id: 1,
  slug: 'acme',
  title: 'Acme',
  description: null,
  is_public: 1,
  language: 'en',
  show_history_days: 30,
  theme: '{}',
}

let time: number
let computed: number
let changes: Changes
let pages: PublishedPages
let engine: 'sqlite' | 'postgres'
let shown: object[]

const context = {
  now: () => time,
  results: { settle: async () => undefined },
  windows: { standing: () => [], covers: () => false },
  get changes() {
    return changes
  },
  db: {
    get engine() {
      return engine
    },
    one: async (_query: Query, { slug }: { slug: string }) => {
      computed++
      return slug === 'acme' ? { ...page } : undefined
    },
    all: async (query: Query) => (query.name === 'assignment.shown' ? shown : []),
  },
} as unknown as Context

beforeEach(() => {
  time = Date.parse('2026-11-21T09:30:00.000Z')
  computed = 0
  engine = 'sqlite'
  shown = []
  changes = new Changes()
  pages = new PublishedPages()
})

const read = async () => (await pages.get(context, 'acme')).prepared

test('a page is computed once for all who ask, until something of its team changes', async () => {
  const first = await read()
  time += 5000
  expect(await read()).toBe(first)
  changes.happened(8)
  expect(await read()).toBe(first)
  expect(computed).toBe(1)
  page.title = 'Acme, renamed'
  changes.happened(7)
  expect(JSON.parse((await read()).body.toString()).title).toBe('Acme, renamed')
  expect(computed).toBe(2)
  page.title = 'Acme'
})

test('those who ask while it is computed wait for the same computation', async () => {
  await Promise.all([read(), read(), read()])
  expect(computed).toBe(1)
})

test('what comes out the same keeps its tag, and is confirmed after five minutes', async () => {
  const { tag } = await read()
  time += 60_000
  changes.happened(7)
  expect((await read()).tag).toBe(tag)
  time += 4 * 60_000
  changes.happened(7)
  expect((await read()).tag).not.toBe(tag)
})

test('a storm of changes has it computed twenty times a second at most, and the last is seen after it', async () => {
  for (let change = 0; change < 100; change++) {
    changes.happened(7)
    await read()
  }
  expect(computed).toBe(20)
  time += 1000
  await read()
  expect(computed).toBe(21)
})

test('days begin by themselves, and other replicas are not heard of', async () => {
  await read()
  time = Date.parse('2026-11-22T00:00:00.000Z')
  await read()
  expect(computed).toBe(2)
  engine = 'postgres'
  time += 999
  await read()
  expect(computed).toBe(2)
  time += 1
  await read()
  expect(computed).toBe(3)
})

test('a monitor that nobody looks at any more is unknown, from the moment it is', async () => {
  const watched = { monitor_id: 1, name: 'Shop', group_name: '', status: 'offline', interval_s: 10, timeout_s: 5 }
  // Fifty seconds: an interval, and a lease that nobody answered for.
  shown = [{ ...watched, last_check_at: time - 20_000 }]
  const statusOf = async () => JSON.parse((await read()).body.toString()).monitors[0].current_status
  expect(await statusOf()).toBe('down')
  time += 29_999
  expect(await statusOf()).toBe('down')
  expect(computed).toBe(1)
  time += 1
  expect(await statusOf()).toBe('unknown')
  expect(computed).toBe(2)
})

test('what is not there is asked for anew', async () => {
  await expect(pages.get(context, 'nobody')).rejects.toThrow('no such status page')
  await expect(pages.get(context, 'nobody')).rejects.toThrow('no such status page')
  expect(computed).toBe(2)
})

test('what is prepared is found by its address as long as it may be sent as it is', async () => {
  expect(pages.at(context, '/api/status/acme')).toBeUndefined()
  const prepared = await read()
  for (const address of ['/api/status/acme', '/v1/status/acme']) expect(pages.at(context, address)).toBe(prepared)
  for (const other of ['/api/status/', '/api/status/acme?', '/api/status/acme/', '/status/acme', 'acme']) {
    expect(pages.at(context, other)).toBeUndefined()
  }
  changes.happened(7)
  expect(pages.at(context, '/api/status/acme')).toBeUndefined()
  await read()
  expect(pages.at(context, '/api/status/acme')).toBeDefined()
  time += 60_000
  expect(pages.at(context, '/api/status/acme')).toBeUndefined()
})
