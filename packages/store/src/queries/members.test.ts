import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConflictError, type Db } from '../db.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { eachEngine, type Place } from '../testing/engines.ts'
import { changeMember, insertMember, removeMember } from './members.ts'
import { query } from './query.ts'
import { holdTeam, insertTeam } from './teams.ts'

const owners = query<{ count: number }>('test.owners', "select count(*) as count from members where role = 'owner'")
const clear = query('test.clear', 'delete from members')

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  let other: Db
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
    await db.commit([{ query: insertTeam, params: { id: 1, name: 'Acme', plan: 'pro', created_at: 0 } }])
    other = await place.open()
  })
  afterAll(async () => {
    await db.close()
    await other.close()
    await place.remove()
  })

  const add = (user_id: number) => ({
    query: insertMember,
    params: { team_id: 1, user_id, role: 'owner', created_at: 0 },
  })
  const hold = { query: holdTeam, params: { team_id: 1 } }
  const ways = {
    demote: (user_id: number) => ({
      query: changeMember,
      params: { team_id: 1, user_id, role: 'viewer', old_role: 'owner' },
      expect: 1,
    }),
    remove: (user_id: number) => ({
      query: removeMember,
      params: { team_id: 1, user_id, old_role: 'owner' },
      expect: 1,
    }),
  }

  test.each(['demote', 'remove'] as const)(
    'of two owners who %s each other at the same moment, one stays',
    async way => {
      for (let round = 0; round < 15; round++) {
        await db.commit([{ query: clear, params: {} }, add(1), add(2)])
        const settled = await Promise.allSettled([
          db.commit([hold, ways[way](1)]),
          other.commit([hold, ways[way](2)]),
          other.commit([hold, ways[way](1)]),
          db.commit([hold, ways[way](2)]),
        ])
        for (const each of settled) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ConflictError)
        expect(await db.one(owners, {}), `round ${round}`).toEqual({ count: 1 })
      }
    },
  )

  test('an owner stays one, whoever else is', async () => {
    await db.commit([{ query: clear, params: {} }, add(1)])
    const same = { team_id: 1, user_id: 1, role: 'owner', old_role: 'owner' }
    await db.commit([hold, { query: changeMember, params: same, expect: 1 }])
    await expect(db.commit([hold, ways.demote(1)])).rejects.toThrow(ConflictError)
    await expect(db.commit([hold, ways.remove(1)])).rejects.toThrow(ConflictError)
  })
})
