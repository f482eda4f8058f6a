import type { MonitorStatus } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { announce } from './announcement.ts'

type Status = MonitorStatus | null

// What it was, what receivers were told last if that is something else, what it is; then what is told, and what is kept.
test.each<[string, MonitorStatus, Status, MonitorStatus, boolean, string | null, Status]>([
  ['nothing has happened', 'online', null, 'online', false, null, null],
  ['an outage', 'online', null, 'offline', false, 'online→offline', null],
  ['a recovery', 'offline', null, 'online', false, 'offline→online', null],
  ['a first verdict', 'pending', null, 'online', false, 'pending→online', null],
  ['an outage in maintenance is kept', 'online', null, 'offline', true, null, 'online'],
  ['it goes on', 'offline', 'online', 'offline', true, null, 'online'],
  ['it is over within: nothing was told', 'offline', 'online', 'online', true, null, null],
  ['it is over after: nothing was told', 'offline', 'online', 'online', false, null, null],
  ['it goes on after: told then', 'offline', 'online', 'offline', false, 'online→offline', null],
  ['a known outage goes on in maintenance', 'offline', null, 'offline', true, null, null],
  ['a known outage ends in maintenance: told at once', 'offline', null, 'online', true, 'offline→online', null],
  ['a first verdict in maintenance is kept', 'pending', null, 'offline', true, null, 'pending'],
  ['it changes', 'offline', 'pending', 'online', true, null, 'pending'],
  ['a first verdict that was kept is told after', 'online', 'pending', 'online', false, 'pending→online', null],
])('%s', (_, status, announced_status, now, planned, told, kept) => {
  const { change, announced_status: after } = announce({ status, announced_status }, now, planned)
  expect([change && `${change.old_status}→${change.new_status}`, after]).toEqual([told, kept])
})
