import type { Query } from '../db.ts'
import { type CommitsOfDay, commitsOfDay } from './commits-of-day.ts'
import { ofDay } from './day.ts'
import { query } from './query.ts'

/** A block of points, until its hour is over and they are packed by series. */
export interface InboxRow {
  id: number
  app_id: number
  data: Uint8Array
}

/** The statements about one day of points. */
export interface PointsDay extends CommitsOfDay {
  insertInbox: Query
  insertCommit: Query
  lastInbox: Query<{ id: number }>
  /** Newest first. */
  inboxOf: Query<InboxRow>
  inboxBefore: Query<InboxRow>
  inboxSize: Query<{ count: number }>
  deleteInbox: Query
  insertChunk: Query
  /** Of one series, newest first. */
  chunksOf: Query<{ series_id: number; hour: number; data: Uint8Array }>
}

export const pointsDay = ofDay(
  (day): PointsDay => ({
    insertInbox: query(
      `points.insertInbox ${day}`,
      `insert into points_inbox_${day} (id, app_id, data) values (@id, @app_id, @data)`,
    ),
    insertCommit: query(
      `points.insertCommit ${day}`,
      `insert into points_commits_${day} (seq, kept_at, hashes) values (@seq, @kept_at, @hashes)`,
    ),
    ...commitsOfDay('points', day),
    lastInbox: query(`points.lastInbox ${day}`, `select id from points_inbox_${day} order by id desc limit 1`),
    inboxOf: query(
      `points.inboxOf ${day}`,
      `select id, app_id, data from points_inbox_${day} where app_id = @app_id and id < @id order by id desc limit @limit`,
    ),
    inboxBefore: query(
      `points.inboxBefore ${day}`,
      `select id, app_id, data from points_inbox_${day} where id < @id order by app_id, id limit @limit`,
    ),
    inboxSize: query(`points.inboxSize ${day}`, `select count(*) as count from points_inbox_${day}`),
    deleteInbox: query(`points.deleteInbox ${day}`, `delete from points_inbox_${day} where id in (@ids...)`),
    insertChunk: query(
      `points.insertChunk ${day}`,
      `insert into points_chunks_${day} (app_id, series_id, hour, part, data)
       values (@app_id, @series_id, @hour, @part, @data)`,
    ),
    chunksOf: query(
      `points.chunksOf ${day}`,
      `select series_id, hour, data from points_chunks_${day}
       where app_id = @app_id and series_id = @series_id and hour >= @from and hour <= @to order by hour desc, part desc
       limit @limit`,
    ),
  }),
)
