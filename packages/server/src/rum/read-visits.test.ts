import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRumErrors } from './read-rum.ts'
import { readRumVisits } from './read-visits.ts'
import { OneApp } from './testing/one-app.ts'

const hour = 3_600_000
const range = { app_id: 1, from: 0, to: Date.parse('2026-12-31T00:00:00Z'), page: undefined }
const error = (session_id: string, more: object = {}) => ({ type: 'error', message: 'boom', session_id, ...more })

eachEngine((_engine, newPlace) => {
  let place: Place
  let one: OneApp

  beforeEach(async () => {
    place = await newPlace()
    one = await OneApp.on(place, '2026-11-20T12:00:00Z')
  })
  afterEach(async () => {
    await one.db.close()
    await place.remove()
  })

  const fingerprint = async () => {
    const { rows } = await readRumErrors(one.db, { ...range, limit: 1, cursor: undefined })
    return rows[0]?.fingerprint
  }
  const end = { before: Number.MAX_SAFE_INTEGER, before_id: '', limit: 100 }
  const read = async (more: object = {}) =>
    readRumVisits(one.db, { ...range, ...end, error: await fingerprint(), ...more })
  const names = async (more: object = {}) =>
    (await read(more)).visits.map(({ session_id, number }) => `${session_id}${number}`)

  test('of several visits under one id those that had the error, told late or not', async () => {
    for (const events of [[error('s')], [{ type: 'click', session_id: 's' }], [error('s'), error('s')]]) {
      await one.take(events)
      one.now += hour
    }
    expect(await names()).toEqual(['s3', 's1'])
    // It happened before the visit was heard of, which is in no other.
    await one.take([error('t', { timestamp: one.now - 5000 })])
    expect(await names()).toEqual(['t1', 's3', 's1'])
  })

  test('from many days, newest first, each once, by pages', async () => {
    const begun: string[] = []
    await one.take([error('long')])
    one.now += hour / 3
    for (let day = 0; day < 5; day++) {
      for (const id of ['a', 'b', 'ü', '🦊']) {
        begun.unshift(`${id}${day}1`)
        await one.take([error(`${id}${day}`), error('long')])
        one.now += hour / 3
      }
      // A visit that goes on over days stays where it began.
      for (let turn = 0; turn < 68; turn++) {
        await one.take([error('long')])
        one.now += hour / 3
      }
    }
    begun.push('long1')
    expect(await names()).toEqual(begun)
    // Of 17 the last may be the long one, until the day in which it began has been looked at.
    for (const limit of [3, 17]) expect(await names({ limit })).toEqual(begun.slice(0, limit))
    const pages: string[] = []
    for (let place: object | undefined = end; place !== undefined; ) {
      const { visits, complete } = await read({ ...place, limit: 4 })
      expect(complete).toBe(true)
      pages.push(...visits.map(({ session_id, number }) => `${session_id}${number}`))
      const last = visits.at(-1)
      place = last && { before: last.started_at, before_id: last.session_id }
    }
    expect(pages).toEqual(begun)
  })

  test('that began in one millisecond are in one order, on every page', async () => {
    const ids = ['a', 'b', 'ü', '\uffee', '🦊']
    await one.take(ids.map(id => error(id)))
    expect(await names()).toEqual(ids.toReversed().map(id => `${id}1`))
    expect(await names({ before: one.now, before_id: '\uffee' })).toEqual(['ü1', 'b1', 'a1'])
  })

  test('of a day that has very many such events the newest are looked at, and the answer says so', async () => {
    const day = `rum_events_20261120`
    const kept = { app_id: 1, type: 2, page: 'https://a.example/', value: null, data: '{"message":"boom"}' }
    await one.take([error('first')])
    one.now += 1000
    await one.take([error('last')])
    const name = (await fingerprint()) ?? ''
    const rows = Array.from({ length: 1000 }, () => ({ ...kept, id: null, name, session_id: 'last', at: one.now }))
    for (let turn = 0; turn < 99; turn++) await one.db.append(day, rows)
    expect([await names(), (await read()).complete]).toEqual([['last1', 'first1'], true])
    await one.db.append(day, rows)
    expect([await names(), (await read()).complete]).toEqual([['last1'], false])
    // Also where none of them is shown.
    expect(await read({ before: 0 })).toEqual({ visits: [], complete: false })
  }, 30_000)
})
