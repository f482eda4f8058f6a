import type { HistoryPart } from '@watchpost/status-page'
import { countPastIncidents, pastIncidents, type StatusPageRow } from '@watchpost/store'
import type { Context } from '../context.ts'
import { incidentsForPeople } from './shown-incidents.ts'

const perPart = 20

/**
 * A part of all incidents of a page; undefined where it has not so many.
 * @param number from 1, which there always is
 * @param monitors that the page shows
 */
export async function readHistory(
  { db }: Context,
  { team_id, id: page_id }: StatusPageRow,
  number: number,
  monitors: readonly { id: number }[],
): Promise<HistoryPart | undefined> {
  const key = { team_id, page_id }
  const [counted, rows] = await Promise.all([
    db.one(countPastIncidents, key),
    db.all(pastIncidents, { ...key, limit: perPart, offset: (number - 1) * perPart }),
  ])
  const total = Math.max(1, Math.ceil((counted?.total ?? 0) / perPart))
  if (number > total) return undefined
  const incidents = await incidentsForPeople(db, team_id, rows, new Set(monitors.map(({ id }) => id)))
  return { incidents, number, total }
}
