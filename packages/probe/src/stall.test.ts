import type { Outcome } from '@watchpost/contract'
import { describe, expect, it } from 'vitest'
import { StallWatch } from './stall.ts'

const timedOut: Outcome = {
  status: 'offline',
  response_time_ms: null,
  error_kind: 'timeout',
  error_message: 'No answer within 5 s',
  timings: {},
  details: {},
}

describe('StallWatch', () => {
  const watch = () => {
    const stalls = new StallWatch()
    stalls.tick(1000)
    return stalls
  }

  it('makes a timeout during a long stall the probe’s own trouble', () => {
    const stalls = watch()
    stalls.tick(5100)
    expect(stalls.judge(timedOut, 1000, 5000, 5150)).toMatchObject({ status: 'error', error_kind: 'probe_resources' })
  })

  it('notices a stall that its own timer has not seen yet', () => {
    expect(watch().judge(timedOut, 1000, 5000, 6000).status).toBe('error')
  })

  it('leaves a timeout alone when the process ran smoothly', () => {
    const stalls = watch()
    for (let now = 1100; now <= 6000; now += 100) stalls.tick(now)
    expect(stalls.judge(timedOut, 1000, 5000, 6000)).toBe(timedOut)
  })

  it('does not count a stall from before the check', () => {
    const stalls = watch()
    stalls.tick(60_000)
    expect(stalls.judge(timedOut, 60_000, 5000, 60_100)).toBe(timedOut)
  })

  it.each(['connect_refused', 'http_status'] as const)('believes %s, stalled or not', error_kind => {
    const stalls = watch()
    stalls.tick(6000)
    expect(stalls.judge({ ...timedOut, error_kind }, 1000, 5000, 6000).status).toBe('offline')
  })
})
