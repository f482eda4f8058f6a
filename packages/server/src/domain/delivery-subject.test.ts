import { expect, test } from 'vitest'
import { subjectOf } from './delivery-subject.ts'

const timestamp = '2026-11-21T09:30:00.000Z'
// biome-ignore lint/suspicious/noExplicitAny: of an event, what is read of it here
const sent = (event: string, data: object) => ({ event, timestamp, data }) as any

test('each event says whom it is about, and what became of them', () => {
  const monitor = { monitor_id: 7, monitor_name: 'Till' }
  const till = { type: 'monitor', id: 7, name: 'Till', status: 'offline', monitor_ids: [] }
  expect(subjectOf(sent('monitor.status_changed', { ...monitor, new_status: 'offline' }))).toEqual(till)
  expect(subjectOf(sent('alert.triggered', { ...monitor, status: 'offline' }))).toEqual(till)
  const incident = { incident_id: 3, title: 'Slow', status: 'resolved', monitor_ids: [7, 8] }
  const slow = { type: 'incident', id: 3, name: 'Slow', status: 'resolved', monitor_ids: [7, 8] }
  expect(subjectOf(sent('incident.created', incident))).toEqual(slow)
  expect(subjectOf(sent('incident.updated', incident))).toEqual(slow)
  const nothing = { status: null, monitor_ids: [] }
  const app = { type: 'app', id: 4, name: 'Shop', ...nothing }
  expect(subjectOf(sent('usage.threshold', { app_id: 4, app_name: 'Shop' }))).toEqual(app)
  const channel = { type: 'channel', id: 5, name: 'hook', ...nothing }
  expect(subjectOf(sent('channel.test', { channel_id: 5, channel_name: 'hook' }))).toEqual(channel)
})
