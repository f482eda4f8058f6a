/** Points put together: how much of time one stands for, how many share a row, and how long they are kept. */
export interface RollupLevel {
  /** Seconds; its name in the store. */
  resolution: number
  stepMs: number
  /** Of time in one row of a series. */
  rowMs: number
  days: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Specification 8.3: raw points 7 days, then these. */
export const rollupLevels: readonly RollupLevel[] = [
  { resolution: 300, stepMs: 300_000, rowMs: hourMs, days: 30 },
  { resolution: 3600, stepMs: hourMs, rowMs: dayMs, days: 90 },
  { resolution: 86_400, stepMs: dayMs, rowMs: 32 * dayMs, days: 365 },
]
