import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { visits } from './visit.ts'

const minute = 60_000
let kept: Map<string, string>

beforeEach(() => {
  kept = new Map()
  vi.useFakeTimers({ now: 1_763_717_400_000 })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)

test('tabs and reloads share a visit until nothing happened for 30 minutes', () => {
  const begun: string[] = []
  const tab = visits(1, id => begun.push(id))
  const first = tab()
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  pass(29 * minute)
  const other = visits(1, id => begun.push(id))
  expect(other()).toBe(first)
  pass(29 * minute)
  // Something happened in the other tab.
  expect([tab(), begun.length]).toEqual([first, 1])
  pass(30 * minute)
  const second = tab()
  expect(second).not.toBe(first)
  expect([other(), begun]).toEqual([second, [first, second]])
})

test('who was not chosen stays so for the whole visit, wherever it goes on', () => {
  const tab = visits(0, () => expect.unreachable())
  expect(tab()).toBeUndefined()
  pass(minute)
  expect(visits(1, () => expect.unreachable())()).toBeUndefined()
})

test('without a storage, or with something else in it, a page is a visit of its own', () => {
  kept.set('wp_rum', '{"no":')
  expect(visits(1, () => undefined)()).toBeDefined()
  vi.stubGlobal('localStorage', undefined)
  const tab = visits(1, () => undefined)
  const first = tab()
  pass(minute)
  expect(tab()).toBe(first)
})
