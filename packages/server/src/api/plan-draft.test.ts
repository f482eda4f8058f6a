import type { PlanWrite } from '@watchpost/contract'
import { expect, test } from 'vitest'
import type { Known } from '../domain/plan.ts'
import { Drafting } from './plan-draft.ts'
import type { PlanState } from './plan-state.ts'

const nothing: PlanState = { monitors: [], status_pages: [], channels: [], maintenance: [] }

/** What a plan would show of monitors that are all new. */
function shown(monitors: Record<string, unknown>[], secrets: string[]) {
  const drafting = new Drafting(1, nothing, { resources: {}, secrets } as PlanWrite)
  const known: Known[] = []
  const drafts = drafting.each(
    'monitors',
    monitors as { name: string; id?: number }[],
    item => item.name,
    known,
    item => ({ before: undefined, after: { ...item }, seen: null, more: {} }),
  )
  return drafts.map(draft => Object.fromEntries(draft.properties.map(each => [each.path, each.new])))
}

test('a secret hides its property, what is below it, and the list it is in, of its own item', () => {
  const options = { body: 'a', other: 'b', steps: ['c', 'd'], deep: { one: 'e' } }
  const item = { name: 'A', options }
  const secrets = ['body', 'steps.1', 'deep'].map(path => `monitors.0.options.${path}`)
  const seen = { name: 'A', 'options.other': 'b' }
  const hidden = { 'options.body': '***', 'options.steps': '***', 'options.deep.one': '***' }
  const open = { 'options.body': 'a', 'options.steps': ['c', 'd'], 'options.deep.one': 'e' }
  expect(shown([item, { ...item, name: 'B' }], secrets)).toEqual([
    { ...seen, ...hidden },
    { ...seen, ...open, name: 'B' },
  ])
})

test('as many monitors and secrets as a body may hold are a matter of moments', () => {
  const monitors = Array.from({ length: 10_000 }, (_, index) => ({ name: `M ${index}`, target: 'a', interval: index }))
  const secrets = Array.from({ length: 20_000 }, (_, index) => `monitors.${index}.options.auth.password.of.somebody`)
  const started = performance.now()
  expect(shown(monitors, secrets)).toHaveLength(10_000)
  expect(performance.now() - started).toBeLessThan(20_000)
})
