import { expect, test } from 'vitest'
import { statusBadge, uptimeBadge } from './badge.ts'
import { history, incident, monitor, payload } from './sample.ts'

const nameOf = (svg: string | undefined) => /aria-label="([^"]*)"/.exec(svg ?? '')?.[1]

test('a badge says in words what it shows in colours', () => {
  const page = payload({ uptime_history: history([100, 99]) })
  expect(nameOf(statusBadge(page, {}))).toBe('Status: All systems operational')
  expect(nameOf(statusBadge(page, { monitor: 1 }))).toBe('Website: Operational')
  expect(nameOf(uptimeBadge(page, {}))).toBe('Uptime, last 3 days: 99.50%')
  expect(nameOf(uptimeBadge(payload({ language: 'de' }), {}))).toBe('Verfügbarkeit, letzte 3 Tage: 100\u00a0%')
})

test('its colour is that of the banner', () => {
  const open = incident({ status: 'investigating', severity: 'critical', resolved_at: null })
  expect(statusBadge(payload(), {})).toContain('fill="#047857"')
  expect(statusBadge(payload({ incidents: [open] }), {})).toContain('fill="#b91c1c"')
})

test('a label is text, whatever it holds, and no longer than a line', () => {
  expect(nameOf(statusBadge(payload(), { label: '<a href="x">&' }))).toMatch(/^&lt;a href=&quot;x&quot;&gt;&amp;: /)
  expect(nameOf(statusBadge(payload(), { label: 'x'.repeat(99) }))).toMatch(/^x{59}…: /)
})

test('there is none of what the page does not show', () => {
  const page = payload({ monitors: [monitor({ show_uptime: false })] })
  expect(statusBadge(page, { monitor: 2 })).toBeUndefined()
  expect(uptimeBadge(page, { monitor: 1 })).toBeUndefined()
})
