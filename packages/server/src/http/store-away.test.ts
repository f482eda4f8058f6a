import { UnavailableError } from '@watchpost/store'
import { expect, test } from 'vitest'
import { storeAway } from './store-away.ts'

test('whoever runs the server learns what to mend, a visitor nothing of its disk', () => {
  const error = new UnavailableError('full', 'database or disk is full', undefined)
  expect(storeAway(error)).toMatchObject({ status: 503, retryAfter: 60, message: expect.stringContaining('make room') })
  const told = storeAway(error, true)
  expect(told).toMatchObject({ status: 503, retryAfter: 60 })
  expect(told.message).not.toContain('disk')
})
