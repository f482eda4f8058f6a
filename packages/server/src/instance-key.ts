import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, OperatorError } from './config.ts'

/**
 * The key that encrypts what must be read again. On SQLite it is made on first use and kept beside the data; replicas
 * on PostgreSQL must share one, so there it has to be given.
 */
export function instanceKey(config: Config): string {
  if (config.instanceKey !== undefined) return config.instanceKey
  if (config.databaseUrl !== undefined) {
    throw new OperatorError(
      'WATCHPOST_INSTANCE_KEY is required with --database-url, the same for every replica; make one with: openssl rand -base64 32',
    )
  }
  const file = join(config.dataDir, 'instance.key')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const key = randomBytes(32).toString('base64')
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
  return key
}
