import { expect, test } from 'vitest'
import { monitorRow } from './monitor-row.ts'
import { monitor, view } from './sample.ts'

const row = (change: Parameters<typeof monitor>[0] = {}) => monitorRow(monitor(change), view()).markup

test.each([
  ['operational' as const, 'Operational', 'up'],
  ['down' as const, 'Down', 'fall'],
  ['unknown' as const, 'Not watched', 'blank'],
])('%s is said by a word and a shape of its own', (current_status, word, shape) => {
  const markup = row({ current_status })
  expect(markup).toContain(`<use href="#i-${shape}"/></svg>${word}</span>`)
  expect(markup).toContain(`data-status="${current_status}"`)
})

test('the display name stands for the name', () => {
  expect(row({ display_name: 'Shop' })).toContain('<h3><bdi>Shop</bdi></h3>')
  expect(row({ display_name: 'Shop' })).not.toContain('Website')
})

test('response time is shown where the page wants it and there is one', () => {
  expect(row()).toContain('182 ms')
  expect(row({ show_response_time: false })).not.toContain('ms<')
  expect(row({ response_time_ms: null })).not.toContain('Response time')
})

test('bars are shown where the page wants them', () => {
  expect(row()).toContain('class="history"')
  expect(row({ show_uptime: false })).not.toMatch(/class="history"|uptime/)
})

test('the last check matters where the state is not plainly good', () => {
  expect(row()).not.toContain('Last check')
  expect(row({ current_status: 'down' })).toContain(
    'Last check <time datetime="2026-11-21T09:29:41.000Z">21 Nov 2026, 09:29 UTC</time>',
  )
  expect(row({ current_status: 'unknown', last_check: null })).toContain('No check yet')
})
