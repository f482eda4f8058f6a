import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSegment, readPending } from './spool-segment.ts'
import { ControlPlane, token } from './testing/control-plane.ts'
import { Target } from './testing/target.ts'
import { until } from './testing/until.ts'

const bin = new URL('./bin.ts', import.meta.url).pathname

/** The real program in a process of its own. */
describe('the process', () => {
  let plane: ControlPlane
  let target: Target
  let dir: string
  let children: ChildProcess[]

  const start = (more: { stdio?: 'ipc'; env?: Record<string, string> } = {}) => {
    const child = spawn(process.execPath, [bin, 'run', '--server', plane.url, '--spool-dir', dir], {
      env: { ...process.env, WATCHPOST_PROBE_TOKEN: token, ...more.env },
      stdio: ['ignore', 'pipe', 'pipe', ...(more.stdio ? [more.stdio] : [])],
    })
    children.push(child)
    child.stdout?.resume()
    child.stderr?.resume()
    return child
  }
  const spooledRuns = async () => {
    const segments = await Promise.all(readdirSync(dir).map(name => openSegment(join(dir, name))))
    const records = await Promise.all(segments.map(({ segment }) => readPending(segment)))
    return records.flat().map(({ result }) => result.run_id)
  }

  beforeEach(async () => {
    plane = await ControlPlane.start()
    target = await Target.start()
    dir = mkdtempSync(join(tmpdir(), 'watchpost-process-'))
    children = []
  })
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL')
    await plane.down()
    await target.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  it('loses no spooled result by kill -9: each arrives once after the next start', async () => {
    for (let i = 0; i < 20; i++) plane.add({ target: target.url, interval: 0.3 })
    const first = start()
    await until('it works', () => plane.results.length >= 20)
    await plane.down()
    const hits = target.hits
    await until('it checks alone', () => target.hits >= hits + 60)
    first.kill('SIGKILL')
    await once(first, 'exit')
    const spooled = await spooledRuns()
    expect(spooled.length).toBeGreaterThanOrEqual(40)

    await plane.up()
    for (const id of plane.monitors.keys()) plane.change(id, { enabled: false })
    const second = start()
    await until('everything is in', () => spooled.every(run => plane.results.some(({ run_id }) => run_id === run)))
    second.kill('SIGTERM')
    expect(await once(second, 'exit')).toEqual([0, null])
    const runs = plane.results.map(({ run_id }) => run_id)
    expect(new Set(runs).size).toBe(runs.length)
    expect(readdirSync(dir).filter(name => !name.startsWith('held.jsonl'))).toEqual([])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('finishes the running check at %s, reports it and exits 0', async signal => {
    target.delayMs = 600
    const id = plane.add({ target: target.url })
    const child = start()
    await until('the check runs', () => target.open === 1)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(plane.resultsOf(id)).toMatchObject([{ status: 'online' }])
  })

  it('ends with the process that started it', async () => {
    const child = start({ stdio: 'ipc', env: { WATCHPOST_PROBE_PARENT: '1' } })
    await until('it polls', () => plane.polls > 0)
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('keeps reporting when nobody reads what it says', async () => {
    const id = plane.add({ target: target.url, interval: 0.3 })
    const child = start({ env: { WATCHPOST_LOG_LEVEL: 'trace' } })
    child.stdout?.destroy()
    child.stderr?.destroy()
    await until('two results are in', () => plane.resultsOf(id).length >= 2)
  })
})

it.each(['check http://127.0.0.1:1/', 'doctor', '--version'])(
  '%s: a full disk is a line and no success',
  async line => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, [bin, ...line.split(' ')], { stdio: ['ignore', full, 'pipe'] })
    const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')])
    closeSync(full)
    expect([code, stderr]).toEqual([1, 'watchpost-probe: standard output cannot be written (ENOSPC)\n'])
  },
)
