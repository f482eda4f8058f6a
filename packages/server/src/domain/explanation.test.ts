import { expect, test } from 'vitest'
import { explain, type Known } from './explanation.ts'

const check = {
  status: 'online',
  probe: 'eu-1',
  response_time_ms: 41.6,
  error_kind: null,
  error_message: null,
} as const
const known: Known = {
  status: 'online',
  failures: 0,
  confirmations: 2,
  in_maintenance: false,
  last_check: check,
  overdue: false,
  regions: null,
}
const refused = {
  ...check,
  status: 'offline',
  error_kind: 'connect_refused',
  error_message: 'Connection refused.',
} as const

test.each<[string, Partial<Known>, string[]]>([
  ['online', {}, ['The latest check succeeded, in 42 ms.']],
  [
    'online, with a failure that is not confirmed',
    { failures: 1, last_check: refused },
    [
      '1 check failed, but 2 in a row are needed to call it offline.',
      'The latest check failed: Connection refused (connect_refused).',
    ],
  ],
  [
    'offline',
    { status: 'offline', failures: 3, last_check: refused },
    [
      '3 checks in a row failed, and 2 make it offline; one success makes it online.',
      'The latest check failed: Connection refused (connect_refused).',
    ],
  ],
  [
    'trouble of the probe',
    { last_check: { ...check, status: 'error', error_kind: 'probe_resolver' } },
    [
      'The latest check that could look succeeded.',
      'At the latest check the probe eu-1 could not look, which says nothing of the target: probe_resolver.',
    ],
  ],
  ['paused', { status: 'paused', last_check: null }, ['It is paused (enabled is false), so nobody looks.']],
  [
    'pending for want of a probe, in maintenance',
    { status: 'pending', last_check: null, overdue: true, in_maintenance: true },
    [
      'Nobody has looked at it yet as it is now.',
      'It should have been checked by now, but no probe has done so: is one running that may?',
      'It is in maintenance: nobody is alerted, and nothing counts against its uptime.',
    ],
  ],
  [
    'several regions',
    {
      regions: {
        quorum: 'majority',
        votes: [
          { region: 'eu', vote: 'down' },
          { region: 'us', vote: 'up' },
          { region: 'ap', vote: 'silent' },
          { region: 'sa', vote: 'unsure' },
        ],
      },
    },
    [
      '1 of 3 regions that look see it down (eu); more than half of those are needed to call it offline.',
      'It is up as seen from us.',
      'Not sure yet: sa.',
      'Nobody looks from ap, which is no vote for either side.',
    ],
  ],
])('%s', (_, change, reasons) => {
  expect(explain({ ...known, ...change })).toEqual(reasons)
})
