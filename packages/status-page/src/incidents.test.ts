import { expect, test } from 'vitest'
import { openIncidents, recentIncidents } from './incidents.ts'
import { incident, view } from './sample.ts'

const draw = (part: ReturnType<typeof openIncidents>) => (part === false ? '' : part.markup)

test('what is open is apart from what is over', () => {
  const page = view({
    incidents: [incident({ title: 'Now', status: 'identified', severity: 'major' }), incident({ title: 'Then' })],
  })
  expect(draw(openIncidents(page))).toMatch(/Open incidents.*Now.*Identified.*Major.*Affects.*Website/)
  expect(draw(openIncidents(page))).not.toContain('Then')
  expect(draw(recentIncidents(page))).toMatch(/Recent incidents.*Then.*Resolved/)
})

test('its start is a time for machines and for people', () => {
  expect(draw(recentIncidents(view({ incidents: [incident()] })))).toContain(
    '<time datetime="2026-11-19T22:05:00.000Z">19 Nov 2026, 22:05 UTC</time>',
  )
})

test('at most ten are shown', () => {
  const incidents = Array.from({ length: 14 }, (_, id) => incident({ id }))
  expect(draw(recentIncidents(view({ incidents }))).match(/<h3>/g)).toHaveLength(10)
})

test('a word that is not known is shown as it is', () => {
  const page = view({ incidents: [incident({ status: '<scheduled>', severity: 'constructor' })] })
  expect(draw(openIncidents(page))).toMatch(/&lt;scheduled&gt;.*>constructor</)
})

test('without incidents it says so, and an empty page says nothing', () => {
  expect(draw(recentIncidents(view()))).toContain('No incidents to report.')
  expect(recentIncidents(view({ monitors: [] }))).toBe(false)
  expect(openIncidents(view())).toBe(false)
})
