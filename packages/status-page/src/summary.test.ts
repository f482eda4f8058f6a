import { expect, test } from 'vitest'
import { maintenance, monitor, payload } from './sample.ts'
import { summaryOf } from './summary.ts'

const url = 'https://status.example.com/'
const working = monitor({ id: 2, current_status: 'unknown', in_maintenance: true })
const groupOf = (monitors: ReturnType<typeof monitor>[], status: 'operational' | 'partial' = 'operational') =>
  summaryOf(payload({ monitors, groups: [{ name: 'General', status }] }), url).components.find(({ group }) => group)
    ?.status

test('a group is as its worst member is', () => {
  const down = monitor({ id: 3, current_status: 'down' })
  expect(groupOf([monitor(), monitor({ id: 4 })])).toBe('operational')
  expect(groupOf([monitor(), working])).toBe('under_maintenance')
  expect(groupOf([monitor(), working, down], 'partial')).toBe('partial_outage')
  expect(groupOf([down], 'partial')).toBe('major_outage')
})

test('who is not watched is neither up nor down, and left out', () => {
  const { components } = summaryOf(payload({ monitors: [monitor({ current_status: 'unknown' })] }), url)
  expect(components).toEqual([])
})

test('planned work was told when the page began to show it, and has an address of its own', () => {
  const starts_at = '2026-11-24T22:00:00.000Z'
  const window = maintenance({ id: 3, status: 'scheduled', starts_at, ends_at: '2026-11-24T23:00:00.000Z' })
  const [planned] = summaryOf(payload({ maintenance: [window] }), url).scheduled_maintenances
  expect(planned).toMatchObject({
    status: 'scheduled',
    created_at: '2026-11-17T22:00:00.000Z',
    updated_at: '2026-11-17T22:00:00.000Z',
    scheduled_for: starts_at,
    shortlink: `${url}#maintenance-3`,
    incident_updates: [{ status: 'scheduled', created_at: '2026-11-17T22:00:00.000Z' }],
  })
})
