import type { RumVital } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { byPage, rate, vitalText } from './vitals.ts'

test('at the threshold it is still good, above the second it is poor', () => {
  expect([rate('LCP', 2500), rate('LCP', 2501), rate('LCP', 4001)]).toEqual(['good', 'warn', 'bad'])
  expect([rate('CLS', 0.1), rate('CLS', 0.2), rate('CLS', 0.3)]).toEqual(['good', 'warn', 'bad'])
  expect([vitalText('CLS', 0.0421), vitalText('INP', 180)]).toEqual(['0.042', '180 ms'])
})

test('the page most measured comes first; a vital that is not known is passed over', () => {
  const row = (page: string, name: string, count: number) => ({ page, name, count }) as RumVital
  const pages = byPage([row('/a', 'LCP', 3), row('/b', 'LCP', 9), row('/a', 'CLS', 4), row('/a', 'XYZ', 99)])
  expect(pages.map(({ page, count, of }) => [page, count, Object.keys(of)])).toEqual([
    ['/b', 9, ['LCP']],
    ['/a', 4, ['LCP', 'CLS']],
  ])
})
