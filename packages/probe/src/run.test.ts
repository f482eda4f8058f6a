import { runCheck } from '@watchpost/checks'
import { type CheckResult, type DueCheck, type Outcome, readRunId } from '@watchpost/contract'
import { traceparentOf } from '@watchpost/contract/trace-id'
import { describe, expect, it } from 'vitest'
import { type CheckRunner, Runner, runIds } from './run.ts'
import type { Run } from './schedule.ts'

const online: Outcome = {
  status: 'online',
  response_time_ms: 5,
  error_kind: null,
  error_message: null,
  timings: {},
  details: {},
}

const run = (id: number, more: Partial<DueCheck> = {}): Run => ({
  runId: `run-${id}`,
  slotAt: 0,
  check: {
    monitor_id: id,
    type: 'http',
    target: 'http://127.0.0.1/',
    method: 'get',
    interval: 10,
    timeout: 1,
    ssl_verify: true,
    options: {},
    ...more,
  },
})

/** A runner whose checks end when told. */
function stage(concurrency: number) {
  const started: string[] = []
  const finish: (() => void)[] = []
  const results: (CheckResult | undefined)[] = []
  const runner = new Runner({
    runCheck: (check, { signal } = {}) =>
      new Promise((resolve, reject) => {
        started.push(check.type)
        finish.push(() => resolve(online))
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
    concurrency,
    pingConcurrency: () => 10,
    now: () => 0,
    onDone: (_, result) => results.push(result),
  })
  const settle = () => new Promise(resolve => setTimeout(resolve, 5))
  return { runner, started, finish, results, settle }
}

async function resultFrom(runCheck: CheckRunner, check: Partial<DueCheck> = {}): Promise<CheckResult | undefined> {
  const { promise, resolve } = Promise.withResolvers<CheckResult | undefined>()
  const runner = new Runner({ runCheck, concurrency: 1, now: () => 1000, onDone: (_, result) => resolve(result) })
  runner.start(run(1, check))
  return promise
}

describe('Runner', () => {
  it('runs so many at once, the others in order', async () => {
    const { runner, started, finish, settle } = stage(2)
    for (const id of [1, 2, 3, 4]) runner.start(run(id))
    expect([started.length, runner.running, runner.queued]).toEqual([2, 2, 2])
    finish[0]?.()
    await settle()
    expect([started.length, runner.running, runner.queued]).toEqual([3, 2, 1])
  })

  it('does not let pings hold up anything else', () => {
    const { runner, started } = stage(50)
    for (let id = 1; id <= 30; id++) runner.start(run(id, { type: 'ping' }))
    runner.start(run(31))
    expect(started.filter(type => type === 'ping')).toHaveLength(10)
    expect(started.at(-1)).toBe('http')
  })

  it('does not let a storm of slow DNS checks hold up anything else', async () => {
    const { runner, started, finish, settle } = stage(40)
    runner.start(run(1))
    for (let id = 2; id <= 1001; id++) runner.start(run(id, { type: 'dns' }))
    for (let id = 1002; id <= 1010; id++) runner.start(run(id))
    expect(started.slice(-9)).toEqual(Array(9).fill('http'))
    expect(runner.running).toBe(40)
    // A place that is kept stays free; any other goes to what waits.
    finish[0]?.()
    finish[1]?.()
    await settle()
    expect([started.at(-2), started.at(-1), runner.running]).toEqual(['http', 'dns', 39])
  })

  it('finishes what runs and gives up what waits', async () => {
    const { runner, finish, results } = stage(1)
    runner.start(run(1))
    runner.start(run(2))
    const finished = runner.finish()
    expect(results).toEqual([undefined])
    finish[0]?.()
    await finished
    expect(results[1]).toMatchObject({ run_id: 'run-1', status: 'online' })
  })

  it('abandons everything at once when nobody wants the results', async () => {
    const { runner, results } = stage(1)
    runner.start(run(1))
    await runner.abandon()
    expect(results).toEqual([undefined])
  })

  it('reports when the check began, in server time', async () => {
    expect(await resultFrom(async () => online)).toEqual({
      monitor_id: 1,
      run_id: 'run-1',
      checked_at: '1970-01-01T00:00:01.000Z',
      ...online,
    })
  })

  it('gives a check over HTTP the trace of its run, and no other one', async () => {
    const seen: unknown[] = []
    const look: CheckRunner = async check => {
      seen.push(check.traceparent)
      return online
    }
    await resultFrom(look)
    await resultFrom(look, { type: 'tcp' })
    expect(seen).toEqual([traceparentOf('run-1'), undefined])
  })

  it('takes an exception of a check type for the trouble of the probe', async () => {
    const result = await resultFrom(async () => {
      throw new Error('boom')
    })
    expect(result).toMatchObject({ status: 'error', error_kind: 'probe_internal' })
    expect(result?.error_message).toContain('boom')
  })

  it('keeps to what the wire allows', async () => {
    const outcome = { ...online, error_message: 'x'.repeat(5000), details: { body: 'y'.repeat(50_000) } }
    const result = await resultFrom(async () => outcome)
    expect(result?.error_message).toHaveLength(1000)
    expect(result?.details).toEqual({ truncated: true })
  })

  it('makes ids that no other run of any process has', () => {
    const [here, there] = [runIds(), runIds()]
    const due = 1_800_000_000_000.25
    const ids = [here(1, due), here(1, due), here(2, due), there(1, due + 1000)]
    expect(new Set(ids).size).toBe(4)
    expect(ids.map(id => readRunId(id)?.due_at)).toEqual([due - 0.25, due - 0.25, due - 0.25, due + 999.75])
  })
})

describe('a target that a stranger chose', () => {
  it('does not lead into the network of the probe', async () => {
    const policies: unknown[] = []
    const look: CheckRunner = async (_check, options) => {
      policies.push(options?.policy)
      return online
    }
    for (const more of [{}, { allow_private: true }, { allow_private: false }]) await resultFrom(look, more)
    expect(policies).toEqual([{ private: 'allow' }, { private: 'allow' }, { private: 'deny' }])
    const refused = await resultFrom(runCheck, { allow_private: false, type: 'tcp', target: 'localhost:1' })
    expect(refused).toMatchObject({ status: 'offline', error_kind: 'address_refused' })
  })
})
