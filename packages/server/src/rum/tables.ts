import { createRumDay, type Db, dayName, dropRumDay, type RumDay, rumDay, rumDays } from '@watchpost/store'

const dayMs = 86_400_000

/** Which days have tables for events; made when first needed. */
export class RumTables {
  private readonly db: Db
  private readonly known = new Set<number>()

  constructor(db: Db) {
    this.db = db
  }

  /** Today's table, and yesterday's, in which an event may be known. */
  async recent(now: number): Promise<{ day: number; today: RumDay; yesterday: RumDay }> {
    const [day, before] = [dayName(now), dayName(now - dayMs)]
    await this.make(day)
    await this.make(before)
    return { day, today: rumDay(day), yesterday: rumDay(before) }
  }

  async make(day: number): Promise<void> {
    if (this.known.has(day)) return
    await createRumDay(this.db, day)
    this.known.add(day)
  }

  /** Drops what is older than so many days; yesterday's stays. */
  async dropBefore(now: number, days: number): Promise<void> {
    const oldest = dayName(now - Math.max(1, days) * dayMs)
    for (const { day } of await this.db.all(rumDays, {})) if (day < oldest) await dropRumDay(this.db, day)
    this.known.clear()
  }
}
