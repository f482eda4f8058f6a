import { expect, test } from 'vitest'
import { overPlan, planLimit } from './plans.ts'

test.each([
  ['free', 1],
  ['pro', 5],
  ['business', 25],
  ['enterprise', null],
  ['of another time', null],
])('%s includes %s', (plan, limit) => {
  expect([planLimit(plan, 'servers'), planLimit(plan, 'status_pages')]).toEqual([limit, limit])
})

test('the plan above is named', () => {
  expect(overPlan('free', 'status_pages')).toBe('Your plan, free, includes 1 status page; pro includes 5 status pages')
  expect(overPlan('business', 'servers')).toBe(
    'Your plan, business, includes 25 probes; enterprise includes any number of probes',
  )
})
