import type { RumVisitEvent } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { factsOf, titleOf, toneOf } from './visit-event.ts'

const page = 'https://shop.example.com/cart'
const told = (event: Partial<RumVisitEvent>): RumVisitEvent =>
  ({ timestamp: '2026-11-21T09:30:00.000Z', page, trace_id: null, type: 'custom', ...event }) as RumVisitEvent

test.each<[Partial<RumVisitEvent>, string, string]>([
  [{ type: 'page_load', duration_ms: 812 }, '/cart in 812 ms', 'info'],
  [{ type: 'web_vital', name: 'LCP', value: 4100 }, 'LCP 4.10 s', 'bad'],
  [{ type: 'web_vital', name: 'constructor', value: 1 }, 'constructor', 'quiet'],
  [{ type: 'error', name: 'TypeError', message: 'x is undefined' }, 'TypeError: x is undefined', 'bad'],
  [
    { type: 'network', request_url: 'https://shop.example.com/api', status: 503, duration_ms: 12 },
    '503 /api in 12 ms',
    'bad',
  ],
  [{ type: 'network', request_url: 'https://other.example/api', status: 404 }, '404 https://other.example/api', 'warn'],
  [{ type: 'network', request_url: page, status: 0 }, 'no answer /cart', 'quiet'],
  [{ type: 'click', target: 'button#buy' }, 'button#buy', 'quiet'],
  [{ type: 'session_start', referrer: 'https://example.org/' }, 'from https://example.org/', 'quiet'],
  [{ name: 'bought' }, 'bought', 'quiet'],
])('%o', (event, title, tone) => {
  expect([titleOf(told(event)), toneOf(told(event))]).toEqual([title, tone])
})

test('what else is known, and nothing that is not', () => {
  expect(factsOf(told({ type: 'error', source: '/a.js', line: 3, column: 7 }))).toEqual({ source: '/a.js:3:7' })
  expect(factsOf(told({ data: { items: 3 } }))).toEqual({ items: 3 })
})
