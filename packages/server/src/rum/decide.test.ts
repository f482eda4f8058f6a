import type { RumVisitRow } from '@watchpost/store'
import { describe, expect, test } from 'vitest'
import type { Budget, QuotaState } from '../api/usage-steps.ts'
import { decide, idleMs, type KnownRum } from './decide.ts'
import { numberOf, type RumItem } from './item.ts'

const now = 1_763_717_400_000
const client = { browser: null, os: null, device: null }
const nothing: KnownRum = { today: new Map(), yesterday: new Map(), visits: [] }

function budget(limits: { rum_sessions?: number; rum_events?: number } = {}, used = 0, balance = 0): Budget {
  const state = (limit: number | undefined): QuotaState => ({
    limit: limit ?? null,
    row: { used, alerted: 0 },
    topUp: { balance, last_amount: balance, low_told: 0 },
  })
  const none = state(undefined)
  const { rum_sessions, rum_events } = limits
  const quotas = { replay_bytes: none, otlp_spans: none, logs_bytes: none }
  return {
    app: { team_id: 1, id: 1, name: 'x' },
    period: '2026-11',
    resetAt: now + 1,
    quotas: { ...quotas, rum_sessions: state(rum_sessions), rum_events: state(rum_events) },
  }
}

let position = 0
const item = (type: keyof typeof numberOf, session_id: string | null, id: string | null = null): RumItem => ({
  position: position++,
  type: numberOf[type],
  id,
  session_id,
  at: now,
  page: '/',
  name: '',
  value: 1,
  referrer: null,
  data: '{}',
})
const visit = (session_id: string, ago: number, more: Partial<RumVisitRow> = {}): RumVisitRow => ({
  session_id,
  number: 1,
  period: '2026-11',
  started_at: now - ago,
  last_seen_at: now - ago,
  page_count: 0,
  event_count: 0,
  error_count: 0,
  ...client,
  referrer: null,
  ...more,
})
const one = (items: RumItem[], known = nothing, of = budget()) => decide([{ items, client }], known, of, now)

describe('visits', () => {
  test('one that is alive goes on, one that was silent for 30 minutes begins anew', () => {
    const visits = [visit('alive', idleMs - 1), visit('dead', idleMs), visit('dead', 9 * idleMs, { number: 2 })]
    const decision = one([item('page_load', 'alive'), item('page_load', 'dead'), item('error', 'new')], {
      ...nothing,
      visits,
    })
    expect(decision.wanted).toEqual({ rum_sessions: 2, rum_events: 3 })
    expect(decision.visits).toMatchObject([
      { session_id: 'alive', number: 1, before: { period: '2026-11' }, pages: 1, events: 1, errors: 0 },
      { session_id: 'dead', number: 3, before: undefined },
      { session_id: 'new', number: 1, before: undefined, errors: 1 },
    ])
  })

  test('one that goes on into another month counts in that, too, and only once', () => {
    const visits = [visit('x', 1000, { period: '2026-10' })]
    const decision = one([item('page_load', 'x'), item('page_load', 'x')], { ...nothing, visits })
    expect(decision.wanted).toEqual({ rum_sessions: 1, rum_events: 2 })
    expect(decision.visits).toMatchObject([{ number: 1, before: { period: '2026-10' } }])
  })

  test('a beginning is no event, and of a visit that is alive it is nothing new', () => {
    const decision = one([item('session_start', 'x'), item('session_start', 'x'), item('session_start', 'y')], {
      ...nothing,
      visits: [visit('y', 1)],
    })
    expect(decision.wanted).toEqual({ rum_sessions: 1, rum_events: 0 })
    expect(decision.outcomes).toMatchObject([{ accepted: 1, duplicates: 2 }])
    expect(decision.visits).toMatchObject([{ session_id: 'x' }, { session_id: 'y', events: 0 }])
  })
})

describe('known ids', () => {
  test('count nothing, and begin no visit', () => {
    const known = {
      ...nothing,
      today: new Map([['a', numberOf.page_load]]),
      yesterday: new Map([['b', numberOf.error]]),
    }
    const decision = one([item('page_load', 'x', 'a'), item('error', 'x', 'b')], known)
    expect(decision).toMatchObject({ wanted: { rum_sessions: 0, rum_events: 0 }, rows: [], visits: [] })
    expect(decision.outcomes).toMatchObject([{ accepted: 0, duplicates: 2 }])
  })

  test('a vital is brought up to date where it stands, of several the last', () => {
    const known = { ...nothing, yesterday: new Map([['v', numberOf.web_vital]]) }
    const [first, last] = [item('web_vital', 'x', 'v'), { ...item('web_vital', 'x', 'v'), value: 9 }]
    expect(one([first, last], known).updates).toEqual([{ day: 'yesterday', item: last }])
    const fresh = one([item('web_vital', 'x', 'new'), { ...item('web_vital', 'x', 'new'), value: 7 }])
    expect(fresh.rows).toMatchObject([{ id: 'new', value: 7 }])
    expect(fresh.wanted.rum_events).toBe(1)
  })

  test('an id of something else is no vital', () => {
    const known = { ...nothing, today: new Map([['a', numberOf.error]]) }
    expect(one([item('web_vital', null, 'a')], known).updates).toEqual([])
  })
})

describe('quotas', () => {
  test('what fits is kept, in order, whoever of a group asks', () => {
    const sent = [1, 2].map(() => ({ items: [item('page_load', null), item('page_load', null)], client }))
    const { outcomes, wanted } = decide(sent, nothing, budget({ rum_events: 3 }), now)
    expect(wanted.rum_events).toBe(3)
    expect(outcomes).toMatchObject([
      { accepted: 2, over: [] },
      { accepted: 1, over: [{ quota: 'rum_events' }], exceeded: { quota: 'rum_events', limit: 3, used: 3 } },
    ])
  })

  test('a visit that does not fit takes nothing of the events, nor an event of the visits', () => {
    const full = one([item('page_load', 'x')], nothing, budget({ rum_sessions: 0, rum_events: 5 }))
    expect(full).toMatchObject({ wanted: { rum_sessions: 0, rum_events: 0 }, visits: [], rows: [] })
    expect(full.outcomes[0]?.exceeded?.quota).toBe('rum_sessions')
    const none = one([item('page_load', 'x')], nothing, budget({ rum_sessions: 5, rum_events: 0 }))
    expect(none).toMatchObject({ wanted: { rum_sessions: 0, rum_events: 0 }, visits: [] })
  })

  test('a top-up is room', () => {
    const { wanted } = one(
      Array.from({ length: 9 }, () => item('custom', null)),
      nothing,
      budget({ rum_events: 5 }, 3, 4),
    )
    expect(wanted.rum_events).toBe(6)
  })
})
