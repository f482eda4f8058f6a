import { ApiError, type DueCheck, type DueChecks, UnreachableError } from '@watchpost/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ServerClock } from './clock.ts'
import { createLogger } from './logger.ts'
import { Poller } from './poll.ts'
import { Schedule } from './schedule.ts'
import { until } from './testing/until.ts'

const check = (id: number): DueCheck => ({
  run_id: `run-${id}`,
  monitor_id: id,
  type: 'http',
  target: 'http://127.0.0.1/',
  method: 'get',
  interval: 10,
  timeout: 5,
  ssl_verify: true,
  options: {},
  due_at: new Date().toISOString(),
  lease_until: new Date(Date.now() + 60_000).toISOString(),
})
const answer = (data: DueCheck[], poll_after_seconds = 60): DueChecks => ({
  success: true,
  message: 'Success',
  data,
  meta: { server_time: new Date().toISOString(), poll_after_seconds },
})

describe('Poller', () => {
  let pages: (() => DueChecks)[]
  let queries: { release?: boolean }[]
  let polled: boolean[]
  let log: string
  let unauthorized: ApiError | undefined
  let schedule: Schedule
  let poller: Poller

  const keep = (line: string) => {
    log += line
  }

  beforeEach(() => {
    pages = []
    queries = []
    polled = []
    log = ''
    unauthorized = undefined
    schedule = new Schedule(String)
    poller = new Poller({
      getChecks: async query => {
        queries.push(query)
        return (pages.shift() ?? (() => answer([])))()
      },
      schedule,
      clock: new ServerClock(),
      log: createLogger({ level: 'info', format: 'pretty', name: 'test', write: keep }),
      onPolled: ok => polled.push(ok),
      onUnauthorized: error => {
        unauthorized = error
      },
      pageSize: 2,
      backoff: { firstMs: 30, longestMs: 60 },
    })
  })
  afterEach(() => poller.stop())

  it('asks for the next page at once while full ones come back', async () => {
    pages = [[1, 2], [3, 4], [5]].map(ids => () => answer(ids.map(check)))
    poller.start()
    await until('it has polled', () => polled.length === 1)
    expect(schedule.size).toBe(5)
    expect(queries).toMatchObject([1, 2, 3].map(() => ({ limit: 2, horizon: 60 })))
  })

  it('gives up what the server has taken from it, but not what it is given anew', async () => {
    const taken = answer([check(2)], 60)
    taken.meta.lost = [1, 2]
    pages = [() => answer([check(1)], 0.1), () => taken]
    poller.start()
    await until('it has polled twice', () => polled.length === 2)
    expect([schedule.has(1), schedule.has(2)]).toEqual([false, true])
  })

  it('asks back what a past life was leased, until it is answered, and then no more', async () => {
    const gone = () => {
      throw new UnreachableError('Cannot reach it')
    }
    pages = [gone, () => answer([check(1)], 0), () => answer([])]
    poller.start()
    await until('it has polled three times', () => polled.length === 3)
    expect(queries.map(query => query.release)).toEqual([true, true, undefined])
  })

  it('asks again when the server says', async () => {
    pages = [() => answer([], 0.3)]
    poller.start()
    const began = performance.now()
    await until('it has polled twice', () => polled.length === 2)
    expect(performance.now() - began).toBeGreaterThan(260)
  })

  it('asks soon when nudged, but not without pause', async () => {
    poller.start()
    await until('it has polled', () => polled.length === 1)
    const timer = setInterval(() => poller.nudge(), 5)
    await new Promise(resolve => setTimeout(resolve, 450))
    clearInterval(timer)
    expect(polled.length).toBeGreaterThanOrEqual(3)
    expect(polled.length).toBeLessThanOrEqual(6)
  })

  it('says what is wrong once a step, and when it is over', async () => {
    pages = Array.from({ length: 6 }, () => () => {
      throw new UnreachableError('Cannot reach it')
    })
    poller.start()
    await until('the server is back', () => polled.at(-1) === true)
    expect(polled.filter(ok => !ok)).toHaveLength(6)
    expect(log.match(/carrying on with those held: Cannot reach it/g)).toHaveLength(2)
    expect(log).toContain('the server answers again')
    expect(poller.trouble).toBeUndefined()
  })

  it('carries on after an answer that is not one', async () => {
    pages = [() => ({ hello: 'world' }) as never, () => answer([check(1)])]
    poller.start()
    await until('it got there', () => schedule.size === 1)
    expect(log).toContain('did not answer as the probe API does')
  })

  it('ends when its token is not accepted', async () => {
    pages = [
      () => {
        throw new ApiError('unauthorized', 'Invalid token')
      },
    ]
    poller.start()
    await until('it has ended', () => unauthorized !== undefined)
    expect([queries.length, polled.length]).toEqual([1, 0])
  })
})
