import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import * as os from 'node:os'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HostReader } from './host.ts'

describe('what a probe knows of its machine', () => {
  let dir: string
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text)
  const reader = () => new HostReader({ spoolDir: dir, proc: dir, cgroup: dir, leastMs: 50 })

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'watchpost-host-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  /** Both processor counters move while this runs. */
  const work = () => {
    for (const end = performance.now() + 50; performance.now() < end; );
  }

  it('is there on this very machine', async () => {
    const own = new HostReader({ spoolDir: dir, leastMs: 50 })
    // Too short a time to say anything of.
    expect('cpu_percent' in (await own.read())).toBe(false)
    work()
    await sleep(50)
    const told = await own.read()
    expect(told.hostname).toBe(os.hostname())
    expect(told.cpu_percent).toBeGreaterThan(0)
    expect(told.cpu_percent).toBeLessThanOrEqual(100)
    for (const [used, total] of [
      [told.memory_used_bytes, told.memory_total_bytes],
      [told.disk_used_bytes, told.disk_total_bytes],
      [told.spool_used_bytes, told.spool_total_bytes],
    ]) {
      expect(used).toBeGreaterThan(0)
      expect(used).toBeLessThanOrEqual(total as number)
    }
    expect(Object.values(told).every(value => typeof value === 'string' || Number.isFinite(value))).toBe(true)
  })

  it('memory that can be given back is available', async () => {
    write('meminfo', `MemTotal: 1 kB\nMemFree:  10 kB\nMemAvailable:    1024 kB\n`)
    const { memory_available_bytes, memory_used_bytes, memory_total_bytes } = await reader().read()
    expect(memory_available_bytes).toBe(1024 * 1024)
    expect(memory_used_bytes).toBe((memory_total_bytes as number) - 1024 * 1024)
  })

  it("in a container, memory and processors are the container's", async () => {
    write('memory.max', '1000000\n')
    write('memory.current', '600000\n')
    write('memory.stat', 'anon 300000\ninactive_file 200000\n')
    write('cpu.max', '50000 100000\n')
    write('cpu.stat', 'usage_usec 0\nuser_usec 0\n')
    const own = reader()
    const began = performance.now()
    await sleep(100)
    write('cpu.stat', 'usage_usec 10000\nuser_usec 0\n')
    const told = await own.read()
    const elapsed = performance.now() - began
    expect(told).toMatchObject({ memory_total_bytes: 1_000_000, memory_used_bytes: 400_000, cpu_count: 0.5 })
    // Ten milliseconds of the half of the time that it may have.
    const expected = (100 * 10) / (elapsed / 2)
    expect(Math.abs((told.cpu_percent as number) - expected)).toBeLessThan(3)
  })

  it('a container without limits is told as the machine', async () => {
    write('memory.max', 'max\n')
    write('memory.current', '600000\n')
    write('cpu.max', 'max 100000\n')
    write('cpu.stat', 'usage_usec 0\n')
    const told = await reader().read()
    expect(told).toMatchObject({ memory_total_bytes: os.totalmem(), cpu_count: os.availableParallelism() })
  })

  it('what cannot be read is left out', async () => {
    const told = await new HostReader({ spoolDir: join(dir, 'gone'), proc: dir, cgroup: dir }).read()
    expect('spool_total_bytes' in told).toBe(false)
    expect(told.memory_used_bytes).toBeGreaterThan(0)
  })
})
