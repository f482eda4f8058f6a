import type { About, Sample } from './points.ts'

/** Says with each point only what is new since the one before. */
export const isDelta = ({ type, temporality }: About): boolean => type !== 'gauge' && temporality === 1

/** A number that may be less than before without having begun anew: a gauge, or a sum that is no counter. */
export const mayShrink = ({ type, monotonic }: About): boolean => type === 'gauge' || (type === 'sum' && !monotonic)

/** Counts on and on: what is less than before has begun anew. */
export const isCounter = (about: About): boolean => !isDelta(about) && !mayShrink(about)

/** What is counted: a number itself, of the other kinds how many there were. NaN where none was recorded. */
export const countOf = ({ type }: About, { value, extra }: Sample): number =>
  type === 'gauge' || type === 'sum' ? value : (extra?.distribution?.count ?? Number.NaN)
