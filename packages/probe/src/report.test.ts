import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, type BatchVerdict, type CheckResult, UnreachableError } from '@watchpost/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from './logger.ts'
import { Reporter, type ReportPace } from './report.ts'
import { Spool } from './spool.ts'
import { until } from './testing/until.ts'

const result = (n: number): CheckResult => ({ monitor_id: n, status: 'online', run_id: `run-${n}` })
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('Reporter', () => {
  let dir: string
  let spool: Spool
  let log: string
  let batches: number[][]
  let answer: (results: CheckResult[]) => Promise<BatchVerdict[]>
  let verdicts: [number, BatchVerdict][]
  let open: Reporter[]
  let sound: boolean

  const report = (pace: Partial<ReportPace> = {}) => {
    const reporter = new Reporter({
      send: async results => {
        batches.push(results.map(({ monitor_id }) => monitor_id))
        return answer(results)
      },
      spool,
      onVerdict: (result, verdict) => verdicts.push([result.monitor_id, verdict]),
      onUnauthorized: () => undefined,
      isSound: () => sound,
      log: createLogger({ level: 'info', format: 'pretty', name: 'test', write: keep }),
      pace: { backoff: { firstMs: 20, longestMs: 100 }, gatherMs: 20, ...pace },
    })
    open.push(reporter)
    return reporter
  }
  const keep = (line: string) => {
    log += line
  }
  const accept = async (results: CheckResult[]) => results.map(() => ({ ok: true }))
  const refuse = (error: Error) => async () => {
    throw error
  }
  const sent = () => batches.flat()

  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'watchpost-report-'))
    spool = await Spool.open(dir)
    log = ''
    batches = []
    verdicts = []
    open = []
    sound = true
    answer = accept
  })
  afterEach(async () => {
    for (const reporter of open) await reporter.stop()
    await spool.close()
    rmSync(dir, { recursive: true, force: true })
  })

  it('sends the first result at once and gathers those that follow', async () => {
    const reporter = report()
    reporter.start()
    await reporter.submit(result(1))
    await until('the first is out', () => batches.length === 1)
    await Promise.all(range(2, 20).map(n => reporter.submit(result(n))))
    await until('all are out', () => sent().length === 20)
    expect(batches[0]).toEqual([1])
    expect(batches.length).toBeLessThanOrEqual(3)
    await until('the spool is empty', () => spool.size === 0)
  })

  it('keeps requests small, in number and in bytes', async () => {
    const reporter = report({ batch: 10, batchBytes: 400 })
    await Promise.all(range(1, 30).map(n => reporter.submit(result(n))))
    reporter.start()
    await until('all are out', () => sent().length === 30)
    expect(sent()).toEqual(range(1, 30))
    expect(Math.max(...batches.map(batch => batch.length))).toBeLessThan(10)
  })

  it('sends what is fresh before the backlog, and the backlog oldest first at its own rate', async () => {
    spool.release(await Promise.all(range(1, 60).map(n => spool.append(result(n)))))
    const reporter = report({ batch: 20, backlogPerSecond: 200 })
    await reporter.submit(result(100))
    const began = performance.now()
    reporter.start()
    await until('all are out', () => sent().length === 61)
    expect(sent()).toEqual([100, ...range(1, 60)])
    expect(performance.now() - began).toBeGreaterThan(190)
  })

  it('holds only so many results in memory while the server is away; the others wait on disk', async () => {
    answer = refuse(new UnreachableError('Cannot reach it'))
    const reporter = report({ fresh: 20, batch: 10, backlogPerSecond: 10_000 })
    reporter.start()
    await Promise.all(range(1, 50).map(n => reporter.submit(result(n))))
    await until('it has failed', () => reporter.failing)
    expect(spool.size).toBe(50)
    batches = []
    answer = accept
    await until('all are in', () => spool.size === 0)
    const arrived = sent()
    expect([...arrived].sort((a, b) => a - b)).toEqual(range(1, 50))
    expect(log).toContain('the server takes results again')
  })

  it('hands every verdict on, and does not send again what was refused', async () => {
    answer = async results =>
      results.map(({ monitor_id }) => (monitor_id === 2 ? { ok: false, error: 'No such monitor' } : { ok: true }))
    const reporter = report()
    await Promise.all(range(1, 3).map(n => reporter.submit(result(n))))
    reporter.start()
    await until('all are answered', () => verdicts.length === 3)
    expect(verdicts[1]).toEqual([2, { ok: false, error: 'No such monitor' }])
    expect([batches.length, spool.size, reporter.refused]).toEqual([1, 0, 1])
  })

  it.each(['payload_too_large', 'bad_request'] as const)(
    'finds the one result that makes the server answer %s, and gives up only that',
    async code => {
      answer = async results => {
        if (results.some(({ monitor_id }) => monitor_id === 7)) throw new ApiError(code, 'Not this')
        return accept(results)
      }
      const reporter = report()
      await Promise.all(range(1, 16).map(n => reporter.submit(result(n))))
      reporter.start()
      await until('all are dealt with', () => verdicts.length === 16)
      expect(verdicts.filter(([, { ok }]) => !ok)).toEqual([[7, { ok: false, error: 'Not this' }]])
      expect(spool.size).toBe(0)
    },
  )

  it('does not believe a refusal while the server is not known to be sound: it may be a proxy that speaks', async () => {
    sound = false
    answer = refuse(new ApiError('bad_request', 'Bad gateway page'))
    const reporter = report()
    await reporter.submit(result(1))
    reporter.start()
    await until('it has tried twice', () => batches.length >= 2)
    expect([spool.size, verdicts.length]).toEqual([1, 0])
  })

  it('does not take an answer for too few results as one', async () => {
    answer = async () => []
    const reporter = report()
    await reporter.submit(result(1))
    reporter.start()
    await until('it has tried twice', () => batches.length >= 2)
    expect(spool.size).toBe(1)
    expect(log).toContain('did not answer for every result')
  })

  it('waits as long as the server asks, even when the server is known to be back', async () => {
    answer = refuse(new ApiError('unavailable', 'Busy', { retryAfter: 1 }))
    const reporter = report()
    await reporter.submit(result(1))
    reporter.start()
    await until('it was told', () => reporter.failing)
    const told = performance.now()
    answer = accept
    reporter.serverIsBack()
    await until('it is in', () => spool.size === 0)
    expect(performance.now() - told).toBeGreaterThan(900)
  })

  it('tries at once when the server is back, however long it would have waited', async () => {
    answer = refuse(new UnreachableError('Cannot reach it'))
    const reporter = report({ backoff: { firstMs: 60_000, longestMs: 60_000 } })
    await reporter.submit(result(1))
    reporter.start()
    await until('it has failed', () => reporter.failing)
    answer = accept
    reporter.serverIsBack()
    await until('it is in', () => spool.size === 0, 500)
  })

  it('cuts off a request that hangs when it is to stop; the result stays spooled', async () => {
    const reporter = new Reporter({
      send: (_, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      spool,
      onVerdict: () => undefined,
      onUnauthorized: () => undefined,
      isSound: () => sound,
      log: createLogger({ level: 'silent', format: 'json', name: 'test', write: () => undefined }),
      pace: { flushMs: 100 },
    })
    reporter.start()
    await reporter.submit(result(1))
    await reporter.stop()
    expect(spool.size).toBe(1)
    expect(spool.hasBacklog).toBe(true)
  })
})
