import { describe, expect, test } from 'vitest'
import { applied, automaticMove, downTitle, type IncidentSettings, resolvedAt, withDefaults } from './incident.ts'

const at = Date.UTC(2026, 10, 21, 9, 30)
const before: IncidentSettings = {
  title: 'Slow',
  description: 'Disk',
  status: 'identified',
  severity: 'minor',
  monitor_ids: [1],
  status_page_ids: [2],
  started_at: at,
}

test('what a new one does not say takes its default', () => {
  expect(withDefaults({ title: 'Slow' }, at)).toEqual({
    title: 'Slow',
    description: null,
    status: 'investigating',
    severity: 'major',
    monitor_ids: [],
    status_page_ids: [],
    started_at: at,
  })
})

test('a patch changes what it names, and null is a value', () => {
  expect(applied({}, before)).toEqual(before)
  expect(applied({ description: null, monitor_ids: [], started_at: '2026-11-21T09:00:00Z' }, before)).toEqual({
    ...before,
    description: null,
    monitor_ids: [],
    started_at: at - 1_800_000,
  })
})

describe('when it was resolved', () => {
  test.each([
    ['set by resolving', 'resolved', null, at + 5, at + 5],
    ['kept while it stays so', 'resolved', at + 1, at + 5, at + 1],
    ['cleared by reopening', 'monitoring', at + 1, at + 5, null],
    ['nothing while it is open', 'identified', null, at + 5, null],
    ['never before the start', 'resolved', null, at - 5, at],
  ] as const)('%s', (_, status, earlier, now, expected) => {
    expect(resolvedAt({ status, started_at: at }, earlier, now)).toBe(expected)
  })
})

describe('the automatic incident of a monitor', () => {
  test.each([
    ['offline', false, true, 'open'],
    ['offline', true, true, null],
    ['offline', false, false, null],
    ['online', true, true, 'resolve'],
    ['online', true, false, 'resolve'],
    ['online', false, true, null],
  ] as const)('%s, one open: %s, wanted: %s: %s', (status, open, wanted, move) => {
    expect(automaticMove(status, open, wanted)).toBe(move)
  })

  test('its title is the name, cut where it would be too long, never within a character', () => {
    expect(downTitle('Shop')).toBe('Shop is down')
    expect(downTitle('x'.repeat(247))).toBe(`${'x'.repeat(247)} is down`)
    const cut = downTitle('💥'.repeat(255))
    expect([...cut]).toHaveLength(255)
    expect(cut).toMatch(/💥… is down$/u)
  })
})
