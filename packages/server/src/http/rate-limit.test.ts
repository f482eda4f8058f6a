import type { ApiError } from '@watchpost/contract'
import Fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { limitRequests } from './rate-limit.ts'

/** A server whose clock stands still, with one route that answers what it is asked to. */
function limited(anonymousHour: number) {
  const clock = { now: 1_800_000 * 3_600_000 }
  const config = readConfig({}, { WATCHPOST_RATE_LIMIT_ANONYMOUS_HOUR: String(anonymousHour) }, false)
  const app = Fastify()
  const counts = limitRequests(app, { config, log: pino({ level: 'silent' }), now: () => clock.now })
  app.setErrorHandler((error: ApiError, _request, reply) => reply.status(error.status).send(error.message))
  app.get('/:status', { onRequest: async (request, reply) => counts.anonymous(request, reply) }, (request, reply) =>
    reply.status(Number((request.params as { status: string }).status)).send(),
  )
  const get = async (status: number, held = '"a tag"') => {
    const request = { url: `/${status}`, headers: { 'if-none-match': held } }
    const { statusCode, headers } = await app.inject(request)
    return [statusCode, headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]
  }
  return { clock, get }
}

test('an answer that nothing has changed is not counted, and says nothing of limits', async () => {
  const { get, clock } = limited(2)
  const reset = String(clock.now / 1000 + 3600)
  expect(await get(200)).toEqual([200, '1', reset])
  for (let count = 0; count < 5; count++) expect(await get(304)).toEqual([304, undefined, undefined])
  // Whoever would take anything for what he holds has read nothing.
  expect(await limited(2).get(304, '*')).toEqual([304, '1', reset])
  expect(await get(500)).toEqual([500, '0', reset])
  expect(await get(200)).toEqual([429, '0', reset])
  // It is not known beforehand what the answer would have been.
  expect(await get(304)).toEqual([429, '0', reset])
})

test('the next window brings a whole budget', async () => {
  const { get, clock } = limited(1)
  const start = clock.now
  expect(await get(200)).toEqual([200, '0', String(start / 1000 + 3600)])
  clock.now = start + 3_599_999
  expect(await get(200)).toEqual([429, '0', String(start / 1000 + 3600)])
  clock.now = start + 3_600_000
  expect(await get(200)).toEqual([200, '0', String(start / 1000 + 7200)])
})
