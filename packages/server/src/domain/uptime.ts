/** Up and down checks of one stretch of time. */
export interface Bucket {
  bucket_at: number
  up: number
  down: number
}

export interface Day {
  date: string
  uptime: number | null
  hasData: boolean
}

export const dayMs = 86_400_000

/** Percent of checks that were up, to three decimals; null where nobody looked. */
export function uptime(up: number, down: number): number | null {
  const checks = up + down
  return checks === 0 ? null : Math.round((up / checks) * 100_000) / 1000
}

/**
 * One point per day, oldest first, UTC, today included (specification 2.3, ruling 25): over several monitors the mean
 * weighted by checks.
 * @param buckets day rollups, several a day where several monitors are meant
 */
export function dailyHistory(buckets: Iterable<Bucket>, days: number, now: number): Day[] {
  const sums = new Map<number, { up: number; down: number }>()
  for (const { bucket_at, up, down } of buckets) {
    const sum = sums.get(bucket_at) ?? { up: 0, down: 0 }
    sums.set(bucket_at, { up: sum.up + up, down: sum.down + down })
  }
  const first = historyStart(days, now)
  return Array.from({ length: days }, (_, index) => {
    const at = first + index * dayMs
    const { up, down } = sums.get(at) ?? { up: 0, down: 0 }
    return { date: new Date(at).toISOString().slice(0, 10), uptime: uptime(up, down), hasData: up + down > 0 }
  })
}

/** Start of the first of the last `days` days, today included; epoch ms. */
export function historyStart(days: number, now: number): number {
  return Math.floor(now / dayMs) * dayMs - (days - 1) * dayMs
}

/**
 * Percent of the checks that could have been in a stretch of time and were; at most 100: confirmations come in between.
 * @param from start of the stretch, epoch ms; a monitor that is younger is asked only about its life
 */
export function coverage(
  checks: number,
  from: number,
  monitor: { created_at: number; interval_s: number },
  now: number,
): number {
  const expected = Math.max(1, (now - Math.max(from, monitor.created_at)) / (monitor.interval_s * 1000))
  return Math.min(100, Math.round((checks / expected) * 100_000) / 1000)
}
