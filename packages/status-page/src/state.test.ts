import { expect, test } from 'vitest'
import { incident, monitor, view } from './sample.ts'
import { groupState, pageState, statusOf } from './state.ts'

const up = monitor()
const down = monitor({ current_status: 'down' })
const unknown = monitor({ current_status: 'unknown' })
const open = incident({ status: 'investigating' })
const major = incident({ status: 'identified', severity: 'major' })

test.each([
  ['nothing on the page', { monitors: [] }, 'blank', 'Nothing is monitored here yet'],
  ['all up', { monitors: [up, up] }, 'up', 'All systems operational'],
  ['one down', { monitors: [up, down], overall_status: 'partial' as const }, 'fall', 'Some systems are down'],
  ['all down', { monitors: [down], overall_status: 'partial' as const }, 'fall', 'All systems are down'],
  ['partial without saying who', { overall_status: 'partial' as const }, 'fall', 'Some systems are down'],
  ['one not watched', { monitors: [up, unknown] }, 'up', 'All watched systems operational'],
  ['none watched', { monitors: [unknown] }, 'blank', 'No system is being watched right now'],
  ['all up, an incident open', { incidents: [open] }, 'dip', 'Incident in progress'],
  ['all up, one of them major', { incidents: [open, major] }, 'fall', 'Incident in progress'],
  ['all up, a major one over', { incidents: [{ ...major, status: 'resolved' }] }, 'up', 'All systems operational'],
  ['all up, an incident over', { incidents: [incident()] }, 'up', 'All systems operational'],
])('%s', (_, change, level, headline) => {
  expect(pageState(view(change))).toMatchObject({ level, headline })
})

test('where states differ they are counted, the worst first', () => {
  expect(pageState(view({ monitors: [up, unknown, down, up] })).detail).toEqual([
    '1 down',
    '1 not watched',
    '2 operational',
  ])
})

test.each([
  ['all up', false, [up, up], 'up', 'Operational'],
  ['one down', true, [up, down], 'dip', 'Partly down'],
  ['all down', true, [down, down], 'fall', 'Down'],
  ['none watched', false, [unknown], 'blank', 'Not watched'],
])('a group with %s', (_, partial, monitors, level, headline) => {
  expect(groupState(partial, monitors, view())).toMatchObject({ level, headline })
})

test('a status from a later version is unknown', () => {
  expect(statusOf({ ...up, current_status: 'degraded' as 'down' })).toBe('unknown')
  expect(statusOf({ ...up, current_status: 'constructor' as 'down' })).toBe('unknown')
})
