import { type CheckDay, checkDay, checkDays, createCheckDay, type Db, dayName } from '@watchpost/store'

const dayMs = 86_400_000

/** Which days have tables: made when first needed, asked for by whoever reads a history. */
export class CheckTables {
  private readonly db: Db
  private readonly known = new Set<number>()

  constructor(db: Db) {
    this.db = db
  }

  has(at: number): boolean {
    return this.known.has(dayName(at))
  }

  /** Makes the tables of the day that this moment is in. */
  async make(at: number): Promise<void> {
    const day = dayName(at)
    if (this.known.has(day)) return
    await createCheckDay(this.db, day)
    this.known.add(day)
  }

  /** Tables may be gone: each is looked for before it is used again. */
  forget(): void {
    this.known.clear()
  }

  /** The days between two moments that have tables, newest first. Another replica may have made some. */
  async between(from: number, to: number): Promise<CheckDay[]> {
    const [first, last] = [dayName(from), dayName(to)]
    const days = await this.db.all(checkDays, {})
    return days.filter(({ day }) => day >= first && day <= last).map(({ day }) => checkDay(day))
  }
}

/** Days that single checks are kept for: today's and these before it. */
export const checkDaysKept = 7

/** What began before this is kept no longer; epoch ms. */
export function keptFrom(now: number): number {
  return Math.floor(now / dayMs - checkDaysKept) * dayMs
}
