import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'
import {
  createTelemetryDayText,
  dropTelemetryDayText,
  type TelemetryFamily,
  telemetryDays,
} from './queries/telemetry-day-tables.ts'
import { openSqlite } from './sqlite.ts'
import { forEngine } from './statement.ts'

/** The days of one family of telemetry: each a file of its own on SQLite, tables of the one database on PostgreSQL. */
export interface Days {
  /** Newest first. */
  list(): Promise<number[]>
  /** The store that holds a day; undefined where there is none. */
  open(day: number): Promise<Db | undefined>
  /** The same, made where it is not there. */
  make(day: number): Promise<Db>
  /** Everything of a day at once, however much. */
  drop(day: number): Promise<void>
  close(): Promise<void>
}

export function daysInFiles(dataDir: string, family: TelemetryFamily): Days {
  return new FileDays(join(dataDir, 'telemetry'), family)
}

export function daysInTables(db: Db, family: TelemetryFamily): Days {
  return new TableDays(db, family)
}

class FileDays implements Days {
  private readonly dir: string
  private readonly family: TelemetryFamily
  private readonly opened = new Map<number, Db>()

  constructor(dir: string, family: TelemetryFamily) {
    this.dir = dir
    this.family = family
  }

  async list(): Promise<number[]> {
    const days = this.found()
    // Dropped by the other thread: its file has no name any more, and would take space as long as it is open.
    for (const [day, db] of this.opened) {
      if (days.includes(day)) continue
      this.opened.delete(day)
      await db.close()
    }
    return days
  }

  private found(): number[] {
    let names: string[]
    try {
      names = readdirSync(this.dir)
    } catch {
      return []
    }
    const pattern = new RegExp(`^${this.family}-(\\d{8})\\.db$`)
    const days = names.map(name => Number(pattern.exec(name)?.[1]))
    return days.filter(day => day > 0).toSorted((a, b) => b - a)
  }

  async open(day: number): Promise<Db | undefined> {
    return this.opened.get(day) ?? (this.found().includes(day) ? this.openFile(day) : undefined)
  }

  async make(day: number): Promise<Db> {
    const known = this.opened.get(day)
    if (known !== undefined) return known
    mkdirSync(this.dir, { recursive: true, mode: 0o700 })
    return this.openFile(day)
  }

  /** A reader may come upon a file in the moment it is made: whoever is first makes the tables. */
  private async openFile(day: number): Promise<Db> {
    const db = openSqlite(this.path(day), 'day')
    this.opened.set(day, db)
    try {
      await db.script(forEngine(createTelemetryDayText(this.family, day), 'sqlite'))
    } catch (error) {
      // Whoever comes next makes what is not there.
      this.opened.delete(day)
      await db.close()
      throw error
    }
    return db
  }

  private path(day: number): string {
    return join(this.dir, `${this.family}-${day}.db`)
  }

  async drop(day: number): Promise<void> {
    await this.opened.get(day)?.close()
    this.opened.delete(day)
    for (const rest of ['', '-wal', '-shm']) rmSync(this.path(day) + rest, { force: true })
  }

  async close(): Promise<void> {
    for (const db of this.opened.values()) await db.close()
    this.opened.clear()
  }
}

/** Replicas that make or drop one day at the same moment get in each other's way; the second finds it done. */
const attempts = 5

class TableDays implements Days {
  private readonly db: Db
  private readonly family: TelemetryFamily
  private readonly made = new Set<number>()

  constructor(db: Db, family: TelemetryFamily) {
    this.db = db
    this.family = family
  }

  async list(): Promise<number[]> {
    return (await this.db.all(telemetryDays, { name: this.family })).map(({ day }) => day)
  }

  /** Those of an earlier release may lack a table. */
  async open(day: number): Promise<Db | undefined> {
    return this.made.has(day) || (await this.list()).includes(day) ? this.make(day) : undefined
  }

  async make(day: number): Promise<Db> {
    if (!this.made.has(day)) await this.change(createTelemetryDayText(this.family, day))
    this.made.add(day)
    return this.db
  }

  async drop(day: number): Promise<void> {
    this.made.delete(day)
    await this.change(dropTelemetryDayText(this.family, day))
  }

  async close(): Promise<void> {}

  private async change(sql: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.db.script(forEngine(sql, 'postgres'))
      } catch (error) {
        if (attempt === attempts) throw error
        await sleep(Math.random() * 50 * attempt)
      }
    }
  }
}
