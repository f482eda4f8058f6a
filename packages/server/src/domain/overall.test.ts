import { expect, test } from 'vitest'
import { currentStatus, groupMonitors, overallStatus } from './overall.ts'

test.each([
  ['online', 'operational', 'operational'],
  ['offline', 'down', 'unknown'],
  ['pending', 'unknown', 'unknown'],
  ['paused', 'unknown', 'unknown'],
] as const)('%s is shown as %s, in maintenance as %s', (status, shown, planned) => {
  expect(currentStatus(status, false)).toBe(shown)
  expect(currentStatus(status, true)).toBe(planned)
  expect(currentStatus(status, false, true)).toBe('unknown')
})

test('unknown alone does not make a page partial', () => {
  expect(overallStatus([{ current_status: 'unknown' }, { current_status: 'operational' }])).toBe('operational')
  expect(overallStatus([{ current_status: 'unknown' }, { current_status: 'down' }])).toBe('partial')
})

test('a page without monitors is operational', () => {
  expect(overallStatus([])).toBe('operational')
})

test('groups come by their smallest order_index, then by name, and one that holds a down monitor is partial', () => {
  const monitor = (
    group_name: string,
    order_index: number,
    current_status: 'down' | 'operational' = 'operational',
  ) => ({
    group_name,
    order_index,
    current_status,
  })
  const groups = groupMonitors([
    monitor('Zoo', 0),
    monitor('Api', 5),
    monitor('Api', 9, 'down'),
    monitor('Box', 5),
    monitor('Late', 7),
  ])
  expect(groups.map(group => [group.name, group.status])).toEqual([
    ['Zoo', 'operational'],
    ['Api', 'partial'],
    ['Box', 'operational'],
    ['Late', 'operational'],
  ])
})
