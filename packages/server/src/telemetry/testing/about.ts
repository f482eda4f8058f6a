import type { About } from '../points.ts'

/** A series: a counter of nothing in particular, but for what is said of it. */
export const about = (more: Partial<About>): About => ({
  name: 'm',
  type: 'sum',
  unit: '1',
  description: '',
  temporality: 2,
  monotonic: true,
  service: 'shop',
  attributes: [],
  resource: [],
  ...more,
})
