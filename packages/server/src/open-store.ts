import { type Db, migrate, migrations, openDb } from '@watchpost/store'
import type { Config } from './config.ts'

/**
 * Opens the store of this instance and brings its schema up to date.
 * @param options.server whether this process serves requests: on SQLite only one may
 */
export async function openStore(config: Config, options: { server: boolean }): Promise<Db> {
  const db = await openDb({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    exclusiveOwner: options.server,
  })
  try {
    await migrate(db, migrations)
  } catch (error) {
    await db.close()
    throw error
  }
  return db
}
