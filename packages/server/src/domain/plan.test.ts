import { describe, expect, test } from 'vitest'
import { isSecret, match, planToken, propertyChanges, type Stamp, withMasks, withoutMasks } from './plan.ts'

describe('what is a secret', () => {
  test.each([
    ['monitors', 'options.auth.password', 'https', true],
    ['monitors', 'options.auth.token', 'https', true],
    ['monitors', 'options.auth.username', 'https', false],
    ['monitors', 'options.headers.Authorization', 'https', true],
    ['monitors', 'options.headers.X-Api-Key', 'https', true],
    ['monitors', 'options.headers.Accept', 'https', false],
    ['monitors', 'target', 'https', false],
    ['channels', 'secret', 'webhook', true],
    ['channels', 'url', 'slack', true],
    ['channels', 'url', 'webhook', false],
    ['channels', 'bot_token', 'telegram', true],
    ['channels', 'chat_id', 'telegram', false],
    ['status_pages', 'title', undefined, false],
  ] as const)('%s %s of %s: %s', (kind, path, type, secret) => {
    expect(isSecret(kind, path, type)).toBe(secret)
  })
})

describe('what changes', () => {
  test('is told by property; lists are one; the order of keys is none', () => {
    const before = { interval: 60, options: { b: [1, 2], a: { y: 1, x: 2 }, gone: true } }
    const after = { interval: 30, options: { a: { x: 2, y: 1 }, b: [2, 1], come: 'x' } }
    expect(propertyChanges(before, after, () => false)).toEqual([
      { path: 'interval', old: 60, new: 30 },
      { path: 'options.b', old: [1, 2], new: [2, 1] },
      { path: 'options.gone', old: true, new: null },
      { path: 'options.come', old: null, new: 'x' },
    ])
  })
  test('of a secret is only that it does', () => {
    const hides = (path: string) => path === 'url'
    expect(propertyChanges({ url: 'a' }, { url: 'b' }, hides)).toEqual([{ path: 'url', old: '***', new: '***' }])
    expect(propertyChanges({ url: 'a' }, { url: 'a' }, hides)).toEqual([])
    expect(propertyChanges(undefined, { url: 'a' }, hides)).toEqual([{ path: 'url', old: null, new: '***' }])
  })
})

describe('masks', () => {
  const kept = { auth: { type: 'bearer', token: 't' }, headers: { Cookie: 'c', Accept: 'a' } }
  test('come back as what is kept', () => {
    const masked = withMasks(kept)
    expect(masked).toEqual({ auth: { type: 'bearer', token: '***' }, headers: { Cookie: '***', Accept: 'a' } })
    expect(withoutMasks(masked, kept, () => expect.unreachable())).toEqual(kept)
  })
  test('with nothing behind them are faults', () => {
    const wrong: string[] = []
    withoutMasks({ headers: { Cookie: '***' } }, { headers: { Other: 'x' } }, path => wrong.push(path))
    expect(wrong).toEqual(['options.headers.Cookie'])
  })
})

describe('what a name means', () => {
  const known = [
    { id: 1, key: 'A', managed_by: null },
    { id: 2, key: 'B', managed_by: 'mine' },
    { id: 3, key: 'B', managed_by: null },
    { id: 4, key: 'C', managed_by: null },
    { id: 5, key: 'C', managed_by: 'others' },
  ]
  test.each([
    [{}, 'A', { known: known[0] }],
    [{}, 'Z', { known: undefined }],
    [{}, 'B', { known: known[1] }],
    [{ id: 5 }, 'Renamed', { known: known[4] }],
    [{}, 'C', { fault: 'several have this name (ids 4, 5); say which with id' }],
    [{ id: 9 }, 'A', { fault: 'there is none with the id 9' }],
  ])('%j %s', (item, key, matched) => {
    expect(match(item, key, known, 'mine')).toEqual(matched)
  })
})

const plain = (text: string) => text

test('the token stands for one plan of one team', () => {
  const stamp: Stamp = { kind: 'monitors', key: 'A', id: 1, action: 'update', asked: { b: 1, a: 2 }, seen: 7 }
  const token = planToken(plain, 1, 'mine', [stamp])
  expect(planToken(plain, 1, 'mine', [{ ...stamp, asked: { a: 2, b: 1 } }])).toBe(token)
  const others = [
    planToken(plain, 2, 'mine', [stamp]),
    planToken(plain, 1, 'other', [stamp]),
    planToken(plain, 1, 'mine', [{ ...stamp, seen: 8 }]),
    planToken(plain, 1, 'mine', [{ ...stamp, asked: { a: 2, b: 2 } }]),
    planToken(plain, 1, 'mine', []),
  ]
  expect(new Set([token, ...others]).size).toBe(6)
})
