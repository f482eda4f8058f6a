import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'
import { createDayText, dropDayText } from './queries/check-days.ts'
import { forEngine } from './statement.ts'

/** Replicas that make or drop one day at the same moment get in each other's way; the second finds it done. */
const attempts = 5
const inTheWay = new Set(['23505', '42P07', '42710', '42P01', '40001', '40P01', 'XX000'])

/** Makes the tables of a day, if they are not there. */
export function createCheckDay(db: Db, day: number): Promise<void> {
  return change(db, createDayText(day))
}

/** Drops the tables of a day: all its checks at once, however many. */
export function dropCheckDay(db: Db, day: number): Promise<void> {
  return change(db, dropDayText(day))
}

/** Runs a text that others may run at the same moment. */
export async function change(db: Db, sql: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.script(forEngine(sql, db.engine))
    } catch (error) {
      if (!inTheWay.has((error as NodeJS.ErrnoException).code ?? '') || attempt === attempts) throw error
      await sleep(Math.random() * 50 * attempt)
    }
  }
}
