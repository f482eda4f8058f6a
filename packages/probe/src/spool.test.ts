import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckResult } from '@watchpost/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Spool, SpoolError } from './spool.ts'
import { lockByFile } from './spool-lock.ts'

const result = (n: number): CheckResult => ({ monitor_id: n, status: 'online', run_id: `run-${n}` })
const ids = (batch: { result: CheckResult }[]) => batch.map(({ result }) => result.monitor_id)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('Spool', () => {
  let dir: string
  let open: Spool[]
  const openSpool = async (...more: Parameters<typeof Spool.open> extends [string, ...infer R] ? R : never) => {
    const spool = await Spool.open(dir, ...more)
    open.push(spool)
    return spool
  }
  const fill = (spool: Spool, from: number, to: number) =>
    Promise.all(range(from, to).map(n => spool.append(result(n))))
  const files = () => readdirSync(dir)

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'watchpost-spool-'))
    open = []
  })
  afterEach(async () => {
    for (const spool of open) await spool.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('hands on, oldest first, what a former process appended and did not see acknowledged', async () => {
    const before = await openSpool()
    const spooled = await fill(before, 1, 5)
    await before.acknowledge(spooled.filter(({ result }) => result.monitor_id % 2 === 0))
    await before.close()
    const after = await openSpool()
    expect(after.size).toBe(3)
    expect(ids(await after.nextBacklog(2))).toEqual([1, 3])
    expect(ids(await after.nextBacklog(2))).toEqual([5])
    expect(await after.nextBacklog(2)).toEqual([])
  })

  it('ignores a line that was being written when the process died, and appends after it safely', async () => {
    const before = await openSpool()
    await fill(before, 1, 2)
    await before.close()
    appendFileSync(join(dir, files()[0] as string), '{"seq":99,"at":1,"result":{"monitor_')
    const after = await openSpool()
    const [first] = await after.nextBacklog(1)
    await after.acknowledge([first as never])
    await after.close()
    expect(ids(await (await openSpool()).nextBacklog(10))).toEqual([2])
  })

  it('loses only the damaged line of a damaged file', async () => {
    const line = (n: number) => JSON.stringify({ seq: n, at: Date.now(), result: result(n) })
    writeFileSync(join(dir, '0000000000000001.jsonl'), `${line(2)}\n\u0000\u0000{"seq":\n[]\n7\n${line(3)}\n`)
    expect(ids(await (await openSpool()).nextBacklog(10))).toEqual([2, 3])
  })

  it('leaves no file behind when everything was acknowledged', async () => {
    const spool = await openSpool()
    await spool.acknowledge(await fill(spool, 1, 50))
    await spool.close()
    expect(files()).toEqual([])
  })

  it('deletes a full segment once its last result is acknowledged', async () => {
    const spool = await openSpool({ segmentBytes: 500 })
    const spooled = []
    for (const n of range(1, 30)) spooled.push(await spool.append(result(n)))
    const segments = files().length
    expect(segments).toBeGreaterThan(3)
    await spool.acknowledge(spooled.slice(0, 20))
    expect(files().length).toBeLessThan(segments)
    await spool.acknowledge(spooled.slice(20))
    expect(files().length).toBeLessThanOrEqual(1)
    expect(spool.size).toBe(0)
  })

  it('gives released results back to the backlog', async () => {
    const spool = await openSpool()
    const spooled = await fill(spool, 1, 4)
    expect(spool.hasBacklog).toBe(false)
    spool.release(spooled.slice(1, 3))
    expect(spool.hasBacklog).toBe(true)
    expect(ids(await spool.nextBacklog(10))).toEqual([2, 3])
    expect(spool.hasBacklog).toBe(false)
  })

  it('drops the oldest results beyond its size, and counts them', async () => {
    const spool = await openSpool({ segmentBytes: 1000, maxBytes: 5000 })
    for (const n of range(1, 200)) spool.release([await spool.append(result(n))])
    expect(spool.bytes).toBeLessThanOrEqual(5000)
    expect(spool.dropped).toBe(200 - spool.size)
    expect(spool.dropped).toBeGreaterThan(100)
    expect(ids(await spool.nextBacklog(1))).toEqual([spool.dropped + 1])
  })

  it('drops results beyond their age, and counts them', async () => {
    let now = 1_000_000
    const spool = await openSpool({ maxAgeMs: 5000, segmentAgeMs: 1000 }, () => now)
    for (const n of range(1, 20)) {
      now += 1000
      spool.release([await spool.append(result(n))])
    }
    expect(ids(await spool.nextBacklog(1))[0]).toBe(spool.dropped + 1)
    expect(spool.dropped).toBeGreaterThanOrEqual(13)
  })

  it('writes many results in few synced groups', async () => {
    const spool = await openSpool()
    const started = performance.now()
    await fill(spool, 1, 5000)
    expect(performance.now() - started).toBeLessThan(20_000)
    expect(spool.size).toBe(5000)
  })

  it('keeps results in memory while the disk refuses them, and says so', async () => {
    const spool = await openSpool()
    rmSync(dir, { recursive: true })
    const spooled = await spool.append(result(1))
    expect(spooled.segment).toBeUndefined()
    expect(spool.trouble?.message).toContain('ENOENT')
    expect(spool.size).toBe(1)
    await spool.acknowledge([spooled])
    expect(spool.size).toBe(0)
  })

  it('counts a backlog that was deleted under it as dropped, and works on', async () => {
    const spool = await openSpool()
    spool.release(await fill(spool, 1, 3))
    rmSync(join(dir, files()[0] as string))
    expect(await spool.nextBacklog(10)).toEqual([])
    expect([spool.dropped, spool.size, spool.hasBacklog]).toEqual([3, 0, false])
    expect(spool.trouble?.message).toContain('ENOENT')
  })

  it('says in one line what is wrong with its directory', async () => {
    writeFileSync(join(dir, 'file'), '')
    await expect(Spool.open(join(dir, 'file'))).rejects.toThrow(/^Spool directory .*file cannot be used: /)
    await expect(Spool.open('/dev/null/spool')).rejects.toThrow(SpoolError)
  })

  it('locks by a file where there is nothing better: it counts while its process lives', () => {
    const unlock = lockByFile(dir)
    expect(unlock).toBeTypeOf('function')
    expect(lockByFile(dir)).toBeUndefined()
    unlock?.()
    // No process has this number: it is above what Linux gives.
    writeFileSync(join(dir, 'lock'), '99999999\n')
    lockByFile(dir)?.()
    expect(files()).toEqual([])
  })

  it('refuses a directory that another probe uses, and takes it once that one has closed it', async () => {
    const first = await openSpool()
    await expect(Spool.open(dir)).rejects.toThrow('is used by another probe')
    await first.close()
    await expect(openSpool()).resolves.toBeInstanceOf(Spool)
  })
})
