import { expect, test } from 'vitest'
import { duration, fitted, htmlChar, noticeOf } from './notice.ts'

const timestamp = '2026-11-21T09:30:00.000Z'
const since = Date.parse('2026-11-21T09:00:00Z')
const status = { monitor_id: 1, monitor_name: 'Shop', response_time: null, error_message: 'refused' }

test('an outage says what, why and since when', () => {
  const data = { ...status, old_status: 'online', new_status: 'offline' }
  expect(noticeOf('monitor.status_changed', { data, timestamp }, since, 'https://a.example/status/x')).toEqual({
    tone: 'bad',
    title: 'Shop is down',
    text: null,
    facts: [
      { label: 'Reason', value: 'refused' },
      { label: 'Since', value: '2026-11-21 09:00:00 UTC' },
    ],
    link: 'https://a.example/status/x',
  })
})

test('a recovery says how long it took, where that is known', () => {
  const data = { ...status, old_status: 'offline', new_status: 'online', error_message: null }
  const notice = noticeOf('monitor.status_changed', { data, timestamp }, since, null)
  expect([notice.tone, notice.title, notice.facts[0]]).toEqual([
    'good',
    'Shop is up again',
    { label: 'Was down for', value: '30 min' },
  ])
  expect(noticeOf('monitor.status_changed', { data, timestamp }, null, null).facts).toHaveLength(1)
})

test('a reminder says how long it has been', () => {
  const data = { ...status, status: 'offline', reason: 'reminder', since: timestamp, channel_ids: [] }
  const { title, facts } = noticeOf('alert.triggered', { data, timestamp }, since, null)
  expect([title, facts.at(-1)]).toEqual(['Shop is still down', { label: 'Down for', value: '30 min' }])
})

test('an incident says where it stands and what was written', () => {
  const incident = { title: 'Slow', severity: 'major', started_at: '2026-11-21T08:00:00.000Z', resolved_at: null }
  const created = noticeOf(
    'incident.created',
    { data: { ...incident, status: 'investigating' }, timestamp },
    null,
    null,
  )
  expect([created.tone, created.title, created.text]).toEqual(['bad', 'Incident: Slow', null])
  const data = { ...incident, status: 'resolved', old_status: 'identified', resolved_at: timestamp }
  const update = { message: 'Disk replaced.' }
  const resolved = noticeOf('incident.updated', { data: { ...data, update }, timestamp }, null, null)
  expect([resolved.tone, resolved.title, resolved.text]).toEqual(['good', 'Incident resolved: Slow', 'Disk replaced.'])
  expect(resolved.facts.at(-1)).toEqual({ label: 'Lasted', value: '1 h 30 min' })
})

test('what is blank is left out', () => {
  const data = { ...status, error_message: ' \n', old_status: 'online', new_status: 'offline' }
  expect(noticeOf('monitor.status_changed', { data, timestamp }, since, null).facts).toHaveLength(1)
  const incident = {
    title: 'Slow',
    severity: 'minor',
    status: 'identified',
    old_status: 'identified',
    resolved_at: null,
  }
  const body = { data: { ...incident, started_at: timestamp, update: { message: ' ' } }, timestamp }
  expect(noticeOf('incident.updated', body, null, null)).toMatchObject({ tone: 'neutral', text: null })
})

test('a name is one line, and cannot turn the text around', () => {
  const data = { ...status, monitor_name: 'a\r\nBcc: b\u202ec', old_status: 'online', new_status: 'offline' }
  expect(noticeOf('monitor.status_changed', { data, timestamp }, null, null).title).toBe('a Bcc: b c is down')
})

test.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [90_000, '1 min 30 s'],
  [3_600_000, '1 h'],
  [90_061_000, '1 d 1 h'],
  [-5, '0 s'],
])('%i ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test('text is cut where it would become too long as it is written, never in the middle of a character', () => {
  expect(fitted('abcdef', 6)).toBe('abcdef')
  expect(fitted('abcdefg', 6)).toBe('abcde…')
  expect(fitted('a<<', 7, htmlChar)).toBe('a&lt;…')
  expect(fitted('🔴🔴', 4)).toBe('🔴🔴')
  expect(fitted('🔴🔴🔴', 4)).toBe('🔴…')
  expect(fitted('<'.repeat(1000), 100, htmlChar).length).toBeLessThanOrEqual(100)
})
