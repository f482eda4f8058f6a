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

/** Checks of some days, oldest first. */
export interface DayCounts {
  up: number[]
  down: number[]
}

/** Number of the first of the last `days` days since 1970, UTC, today included. */
export function firstDay(days: number, now: number): number {
  return Math.floor(now / dayMs) - (days - 1)
}

/**
 * Counts of days from `day,up,down,day,up,down …`; a day that comes twice adds up, one that is not among the days is
 * passed over.
 */
export function countDays(text: string, first: number, days: number): DayCounts {
  const counts = { up: new Array<number>(days).fill(0), down: new Array<number>(days).fill(0) }
  // Three times as fast as taking the text apart here.
  const numbers: number[] = JSON.parse(`[${text}]`)
  for (let at = 0; at + 2 < numbers.length; at += 3) {
    const index = (numbers[at] as number) - first
    if (index < 0 || index >= days) continue
    counts.up[index] = (counts.up[index] as number) + (numbers[at + 1] as number)
    counts.down[index] = (counts.down[index] as number) + (numbers[at + 2] as number)
  }
  return counts
}

/** Several monitors' days as one's: their mean is weighted by checks (ruling 25). */
export function sumDays(all: readonly DayCounts[], days: number): DayCounts {
  const total = { up: new Array<number>(days).fill(0), down: new Array<number>(days).fill(0) }
  for (const { up, down } of all) {
    for (let index = 0; index < days; index++) {
      total.up[index] = (total.up[index] as number) + (up[index] as number)
      total.down[index] = (total.down[index] as number) + (down[index] as number)
    }
  }
  return total
}

/** The same days, with nothing on those from `index` on, and with nothing on those before it. */
export function splitDays({ up, down }: DayCounts, index: number): { before: DayCounts; after: DayCounts } {
  const before = (numbers: number[]) => numbers.map((number, at) => (at < index ? number : 0))
  const after = (numbers: number[]) => numbers.map((number, at) => (at < index ? 0 : number))
  return { before: { up: before(up), down: before(down) }, after: { up: after(up), down: after(down) } }
}

/** The dates of days, `YYYY-MM-DD`. */
export function datesFrom(first: number, days: number): string[] {
  return Array.from({ length: days }, (_, index) => new Date((first + index) * dayMs).toISOString().slice(0, 10))
}

/** One point per day, oldest first (specification 2.3). */
export function dailyHistory({ up, down }: DayCounts, dates: readonly string[]): Day[] {
  return dates.map((date, index) => {
    const [online, offline] = [up[index] as number, down[index] as number]
    return { date, uptime: uptime(online, offline), hasData: online + offline > 0 }
  })
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

/** A monitor as its coverage counts it: each of its regions looks once an interval. */
export function looksOf<M extends { interval_s: number }>(monitor: M, regions: number): M {
  return { ...monitor, interval_s: monitor.interval_s / Math.max(1, regions) }
}
