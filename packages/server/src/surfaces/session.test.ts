import { insertMember, insertTeam, insertUser, migrate, migrations } from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startSession } from '../api/start-session.ts'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import type { Visitor } from '../http/handler.ts'
import { createKeyring } from '../secrets.ts'
import { Seen } from '../workers/last-seen.ts'
import { sessionDoor } from './session.ts'

const day = 86_400_000
const begin = Date.parse('2026-11-21T00:00:00Z')

eachEngine((_engine, newPlace) => {
  let place: Place
  let context: Context
  let now: number
  beforeAll(async () => {
    place = await newPlace()
    const db = await place.open()
    await migrate(db, migrations)
    const user = { id: 1, email: 'ada@example.com', password_hash: 'known' }
    await db.commit([
      { query: insertTeam, params: { id: 1, name: 'Acme', plan: 'pro', created_at: begin } },
      { query: insertUser, params: { ...user, created_at: begin } },
      { query: insertMember, params: { team_id: 1, user_id: 1, role: 'member', created_at: begin } },
    ])
    context = {
      ...{ db, config: readConfig({}, {}, false), log: pino({ level: 'silent' }), keyring: createKeyring('x') },
      ...{ seen: new Seen(), siteUrl: () => 'http://site', now: () => now, eventCommitted: () => undefined },
    } as unknown as Context
  })
  beforeEach(() => {
    now = begin
  })
  afterAll(async () => {
    await context.db.close()
    await place.remove()
  })

  /** Logs in at this moment. */
  async function loggedIn(password_hash = 'known') {
    let cookie = ''
    const visitor: Visitor = {
      session: undefined,
      previous: undefined,
      cookie: {
        set(token) {
          cookie = `watchpost=${token}`
        },
        clear: () => undefined,
      },
      attempt: () => () => undefined,
    }
    await startSession(context, visitor, { id: 1, email: 'ada@example.com', password_hash }, 1)
    const door = sessionDoor(context, { attempt: () => () => undefined })
    return async (atDay: number) => {
      now = begin + atDay * day
      const request = { headers: { cookie }, socket: {} } as unknown as FastifyRequest
      const session = await door.read(request)
      await context.seen.flush(context.db)
      return session
    }
  }

  test('fourteen days unused, and a log-in is over', async () => {
    const at = await loggedIn()
    expect((await at(13.9))?.email).toBe('ada@example.com')
    expect(await at(13.9 + 14.1)).toBeUndefined()
  })

  test('used, it goes on, and after ninety days it is over all the same', async () => {
    const at = await loggedIn()
    for (const used of [10, 20, 33, 46, 59, 72, 85, 89.9]) expect(await at(used), `day ${used}`).toBeDefined()
    expect((await at(89.9))?.expires_at).toBe(begin + 90 * day)
    expect(await at(90)).toBeUndefined()
  })

  test('one that is over is swept away with the next log-in', async () => {
    const count = { name: 'count', sql: 'select count(*) as count from sessions' }
    await loggedIn()
    now = begin + 200 * day
    await loggedIn()
    expect(await context.db.one(count, {})).toEqual({ count: 1 })
  })

  test('a password that was changed in the meantime begins none', async () => {
    await expect(loggedIn('of before')).rejects.toThrow('session.insert')
  })
})
