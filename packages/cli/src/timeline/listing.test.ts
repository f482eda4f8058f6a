import type { IncidentSummary } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { incident } from '../testing/server-double.ts'
import { Listing } from './listing.ts'

/** An incident that began in the minute of its number; those below zero are resolved. */
const each = (number: number) => {
  const id = Math.abs(number)
  const started_at = new Date(id * 60_000).toISOString()
  return incident({ id, started_at, resolved_at: number < 0 ? started_at : null }) as unknown as IncidentSummary
}
const page = (total: number, ...numbers: number[]) => ({ total, incidents: numbers.map(each) })
const idsOf = ({ incidents }: Listing) => incidents.map(({ id }) => id)

test('the open ones come first, the latest on top, and all are counted', () => {
  const listing = new Listing(page(250, 2, 7, 5, -9, -8), async () => page(0))
  expect(idsOf(listing)).toEqual([7, 5, 2, 9, 8])
  expect([listing.open, listing.total, listing.more]).toEqual([3, 250, 245])
})

test('older ones are read on, and stay when the latest are read again', async () => {
  const asked: number[] = []
  const listing = new Listing(page(5, 4, -9, -8), async number => {
    asked.push(number)
    return page(5, -8, -6, -5)
  })
  await listing.readOn()
  expect([idsOf(listing), asked, listing.more]).toEqual([[4, 9, 8, 6, 5], [1], 0])
  // 10 is new and pushes 8 out of what is read; 9 is gone for good.
  listing.take(page(5, -10, -8))
  expect(idsOf(listing)).toEqual([10, 8, 6, 5])
  listing.take(page(6, 11, -10))
  expect([idsOf(listing), listing.more]).toEqual([[11, 10, 8, 6, 5], 1])
})
