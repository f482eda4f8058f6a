import type { Db, Step } from '@watchpost/store'
import { expect, test } from 'vitest'
import { Changes, tellingChanges } from './changes.ts'

const step = (name: string, team_id?: number): Step => ({
  query: { name, sql: '' },
  params: team_id === undefined ? {} : { team_id },
})

test('a commit counts as a change of each team it is about, once it is there', async () => {
  const changes = new Changes()
  let fail = false
  const inner = { commit: async () => (fail ? Promise.reject(new Error('no')) : []) } as unknown as Db
  const db = tellingChanges(inner, changes)
  await db.commit([step('monitor.advance', 1), step('monitor.update', 2), step('sequence.take')])
  expect([changes.of(1), changes.of(2), changes.of(3)]).toEqual([1, 1, 0])
  await db.commit([step('delivery.settle', 1), step('lease.due', 1), step('token.seen', 2)])
  expect([changes.of(1), changes.of(2)]).toEqual([1, 1])
  fail = true
  await expect(db.commit([step('monitor.advance', 1)])).rejects.toThrow('no')
  expect(changes.of(1)).toBe(1)
})
