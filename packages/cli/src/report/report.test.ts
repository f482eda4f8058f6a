import type { Monitor } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { monitor } from '../testing/server-double.ts'
import { reportOf } from './index.ts'

const online = monitor() as Monitor
const hostile = monitor({ id: 2, name: 'a<b>&"c"\n::error::x, 100%', target: 'db:5432', status: 'offline' }) as Monitor
const paused = monitor({ id: 3, name: 'Old', status: 'paused' }) as Monitor

test('github: an error for what is offline, of which no name makes another', () => {
  expect(reportOf('github', [online, hostile])).toBe(
    '::error title=a<b>&"c"%0A%3A%3Aerror%3A%3Ax%2C 100%25 is offline::db:5432 (monitor 2, checked 2026-11-21T09:30:00.000Z)\n' +
      '::notice title=Watchpost::2 monitors, 1 offline\n',
  )
})

test('junit: a case each, escaped', () => {
  const xml = reportOf('junit', [online, hostile, paused])
  expect(xml).toContain('<testsuites name="watchpost" tests="3" failures="1" errors="0" skipped="1">')
  expect(xml).toContain('<testcase classname="watchpost.https" name="Shop front" time="0.132"/>')
  expect(xml).toContain('name="a&lt;b&gt;&amp;&quot;c&quot;\ufffd::error::x, 100%"')
  expect(xml).toContain(
    '<failure type="offline" message="db:5432 (monitor 2, checked 2026-11-21T09:30:00.000Z) is offline"/>',
  )
  expect(xml).toContain('<skipped message="paused"/>')
})

test('json: whether all is well, how many are how, and what they are', () => {
  const report = JSON.parse(reportOf('json', [online, hostile, paused]))
  expect(report).toMatchObject({ ok: false, counts: { total: 3, online: 1, offline: 1, pending: 0, paused: 1 } })
  expect(report.data).toHaveLength(3)
})

test('what nobody watches is an error or a warning, and not online', () => {
  const forgotten = { ...online, watched: false }
  const xml = reportOf('junit', [forgotten, paused])
  expect(xml).toContain('tests="2" failures="0" errors="1" skipped="1"')
  expect(xml).toContain('<error type="unknown" message="nobody watches https://shop.example/ (monitor 1, checked ')
  expect(reportOf('github', [forgotten])).toMatch(
    /^::warning title=nobody watches Shop front::https:\/\/shop\.example\/ \(monitor 1\) was last checked 2026/,
  )
})
