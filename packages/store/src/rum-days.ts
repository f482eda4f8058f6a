import { change } from './check-days.ts'
import type { Db } from './db.ts'
import { createRumDayText, dropRumDayText } from './queries/rum-days.ts'

/** Makes the table of a day, if it is not there. */
export function createRumDay(db: Db, day: number): Promise<void> {
  return change(db, createRumDayText(day))
}

/** Drops the table of a day: all its events at once, however many. */
export function dropRumDay(db: Db, day: number): Promise<void> {
  return change(db, dropRumDayText(day))
}
