import { expect, test } from 'vitest'
import { plannedMaintenance, runningMaintenance } from './maintenance.ts'
import { monitorRow } from './monitor-row.ts'
import { incident, maintenance, monitor, view } from './sample.ts'
import { groupState, pageState } from './state.ts'

const draw = (part: ReturnType<typeof runningMaintenance>) => (part === false ? '' : part.markup)
const scheduled = maintenance({ status: 'scheduled', title: 'New disks', starts_at: '2026-11-25T01:00:00.000Z' })

test('what runs is apart from what is planned, each with its times and what it affects', () => {
  const page = view({ maintenance: [maintenance(), scheduled] })
  expect(draw(runningMaintenance(page))).toMatch(
    /Maintenance in progress.*Database upgrade.*In progress.*Affects.*Website/,
  )
  expect(draw(runningMaintenance(page))).toContain(
    '<time datetime="2026-11-21T09:00:00.000Z">21 Nov 2026, 09:00 UTC</time> – <time datetime="2026-11-21T11:00:00.000Z">',
  )
  expect(draw(runningMaintenance(page))).not.toContain('New disks')
  expect(draw(plannedMaintenance(page))).toMatch(/Planned maintenance.*New disks.*Planned.*25 Nov 2026, 01:00 UTC/)
  expect(runningMaintenance(view())).toBe(false)
  expect(plannedMaintenance(view({ maintenance: [maintenance()] }))).toBe(false)
})

test('its description is shown, and nothing of it is markup', () => {
  const page = view({ maintenance: [maintenance({ description: '<b>Disks</b>', title: '<i>' })] })
  expect(draw(runningMaintenance(page))).toContain('<p dir="auto">&lt;b&gt;Disks&lt;/b&gt;</p>')
  expect(draw(runningMaintenance(page))).not.toContain('<i>')
})

test('it names up to five monitors, as the page calls them, and counts the others', () => {
  const monitors = Array.from({ length: 9 }, (_, id) =>
    monitor({ id, name: `m${id}`, display_name: id === 1 ? 'One' : null }),
  )
  const of = (monitor_ids: number[]) =>
    draw(runningMaintenance(view({ monitors, maintenance: [maintenance({ monitor_ids })] })))
  expect(of([1, 2])).toContain('Affects <bdi>One</bdi>, <bdi>m2</bdi></span>')
  expect(of([1, 2, 3, 4, 5, 6, 7])).toContain('<bdi>m5</bdi> and 2 more</span>')
  expect(of(monitors.map(({ id }) => id))).toContain('Affects everything on this page</span>')
})

test('a monitor that does not answer in maintenance is in maintenance, neither down nor not watched', () => {
  const quiet = monitor({ current_status: 'unknown', in_maintenance: true })
  const page = view({ monitors: [quiet, monitor({ id: 2 })], maintenance: [maintenance()] })
  expect(monitorRow(quiet, page).markup).toMatch(/data-status="unknown".*Maintenance<\/span>/)
  expect(pageState(page)).toEqual({
    level: 'blank',
    headline: 'Maintenance in progress',
    detail: ['1 in maintenance', '1 operational'],
  })
  expect(groupState(false, [quiet], page)).toMatchObject({ headline: 'Maintenance', level: 'blank' })
})

test('one that answers is operational, and in maintenance', () => {
  const well = monitor({ in_maintenance: true })
  const page = view({ monitors: [well], maintenance: [maintenance()] })
  expect(monitorRow(well, page).markup).toMatch(/Operational<\/span><span>In maintenance<\/span>/)
  expect(pageState(page)).toMatchObject({ level: 'up', headline: 'Maintenance in progress' })
})

test('an outage or an incident is said before maintenance; what is only planned changes nothing', () => {
  const down = {
    maintenance: [maintenance()],
    monitors: [monitor({ current_status: 'down' as const }), monitor({ id: 2 })],
  }
  expect(pageState(view(down)).headline).toBe('Some systems are down')
  const open = { maintenance: [maintenance()], incidents: [incident({ status: 'identified' })] }
  expect(pageState(view(open)).headline).toBe('Incident in progress')
  expect(pageState(view({ maintenance: [scheduled] })).headline).toBe('All systems operational')
})
