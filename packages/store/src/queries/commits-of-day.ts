import type { Query } from '../db.ts'
import { query } from './query.ts'
import type { TelemetryFamily } from './telemetry-day-tables.ts'

/** What is asked of the commits of a day, of spans and logs as of points. */
export interface CommitsOfDay {
  /** What was kept lately: its answers may be lost. */
  commitsSince: Query<{ kept_at: number; hashes: Uint8Array }>
  lastCommit: Query<{ seq: number; kept_at: number }>
}

export const commitsOfDay = (family: TelemetryFamily, day: number): CommitsOfDay => ({
  commitsSince: query(
    `${family}.commitsSince ${day}`,
    `select kept_at, hashes from ${family}_commits_${day} where kept_at >= @since`,
  ),
  lastCommit: query(
    `${family}.lastCommit ${day}`,
    `select seq, kept_at from ${family}_commits_${day} order by seq desc limit 1`,
  ),
})
