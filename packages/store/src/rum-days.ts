import { change } from './check-days.ts'
import type { Db } from './db.ts'
import { createRumDayText, dropRumDayText, dropRumIndexesText, rumDay, rumDays } from './queries/rum-days.ts'

/** Makes the table of a day, if it is not there. */
export function createRumDay(db: Db, day: number): Promise<void> {
  return change(db, createRumDayText(day))
}

/** Rows that one commit deletes: a few milliseconds. */
const piece = 2000

/** Drops the table of a day: all its events at once, however many; on SQLite, where everybody waits for it, piece by piece. */
export async function dropRumDay(db: Db, day: number): Promise<void> {
  if (db.engine === 'sqlite' && (await db.all(rumDays, {})).some(row => row.day === day)) {
    for (const text of dropRumIndexesText(day)) await change(db, text)
    for (let gone = piece; gone === piece; ) {
      const [rows = []] = await db.commit([{ query: rumDay(day).thinOut, params: { limit: piece } }])
      gone = rows.length
    }
  }
  return change(db, dropRumDayText(day))
}
