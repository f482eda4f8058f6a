import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'
import { query } from './queries/query.ts'
import { forEngine } from './statement.ts'

export interface Migration {
  id: number
  name: string
  /** One text for both engines, with pieces marked for one of them. */
  sql: string
}

const applied = query<{ id: number }>('migration.applied', 'select id from schema_migrations order by id')

const table =
  'create table if not exists schema_migrations (id bigint primary key, name text not null, applied_at bigint not null)'

/** Replicas that start together get in each other's way; whoever comes second finds the work done. */
const attempts = 5
const inTheWay = new Set(['23505', '42P07', '42710', '40001', '40P01', 'SQLITE_CONSTRAINT_PRIMARYKEY', 'SQLITE_BUSY'])

/**
 * Brings the schema up to date: each migration in one transaction with the row that says so.
 * @throws when the schema is newer than this program
 */
export async function migrate(db: Db, migrations: readonly Migration[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(db, migrations)
    } catch (error) {
      if (!inTheWay.has((error as NodeJS.ErrnoException).code ?? '') || attempt === attempts) throw error
      await sleep(100 * attempt)
    }
  }
}

export class NewerSchemaError extends Error {
  override name = 'NewerSchemaError'
}

async function migrateOnce(db: Db, migrations: readonly Migration[]): Promise<void> {
  await db.script(table)
  const done = new Set((await db.all(applied, {})).map(row => row.id))
  const known = new Set(migrations.map(({ id }) => id))
  const unknown = [...done].find(id => !known.has(id))
  if (unknown !== undefined) {
    throw new NewerSchemaError(
      `The data was written by a newer version of Watchpost (schema ${unknown}); use that version or a newer one`,
    )
  }
  for (const { id, name, sql } of migrations) {
    if (done.has(id)) continue
    // The row comes first: a replica that migrates at the same moment waits for its key, fails, and looks again.
    const row = `(${id}, '${name.replaceAll("'", "''")}', ${Date.now()})`
    const text = `insert into schema_migrations (id, name, applied_at) values ${row};\n${forEngine(sql, db.engine)}`
    await db.script(text)
  }
}
