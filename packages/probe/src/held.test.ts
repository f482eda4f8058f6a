import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HeldFile } from './held.ts'

const check = (monitor_id: number) => ({
  check: {
    monitor_id,
    type: 'http' as const,
    target: 'http://127.0.0.1/',
    method: 'get' as const,
    interval: 10,
    timeout: 5,
    ssl_verify: true,
    options: { headers: { authorization: 'Bearer secret' } },
  },
  dueAt: 1_800_000_000_000 + monitor_id,
})

describe('HeldFile', () => {
  let dir: string
  let now: number
  const file = (more: { server?: string; token?: string } = {}) =>
    new HeldFile({ dir, server: 'http://a', token: 'one', now: () => now, ...more })

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'watchpost-held-'))
    now = 1_800_000_000_000
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  it('gives back what was saved, however much', async () => {
    const held = Array.from({ length: 1234 }, (_, id) => check(id + 1))
    await file().save(held)
    expect(await file().load()).toEqual(held)
    await file().save([check(7)])
    expect(await file().load()).toEqual([check(7)])
    expect(readdirSync(dir)).toEqual(['held.jsonl'])
  })

  it('is for its owner alone', async () => {
    await file().save([check(1)])
    expect(statSync(join(dir, 'held.jsonl')).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['another server', () => file({ server: 'http://b' })],
    ['another probe', () => file({ token: 'two' })],
  ])('has nothing for %s', async (_, other) => {
    await file().save([check(1)])
    expect(await other().load()).toEqual([])
  })

  it('has nothing once it is a day old', async () => {
    await file().save([check(1)])
    now += 24 * 3600_000
    expect(await file().load()).toHaveLength(1)
    now += 1
    expect(await file().load()).toEqual([])
  })

  it('loses only the damaged lines of a damaged file, and has nothing without a file', async () => {
    expect(await file().load()).toEqual([])
    await file().save([check(1), check(2)])
    writeFileSync(join(dir, 'held.jsonl'), 'null\n{"check":{"monitor_id":3}}\n{"che', { flag: 'a' })
    expect(await file().load()).toHaveLength(2)
  })

  it('forgets', async () => {
    await file().save([check(1)])
    await file().forget()
    expect(readdirSync(dir)).toEqual([])
  })
})
