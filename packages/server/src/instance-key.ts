import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, OperatorError } from './config.ts'

/** Where it lies in a data directory. */
export const keyName = 'instance.key'
const fewestLetters = 12

/** Whether it keeps a secret. */
export const isLongEnough = (key: string): boolean => key.length >= fewestLetters

/** The key as the server has it, as far as it can be known without making one. @throws where its file cannot be read */
export function readKey({ instanceKey, databaseUrl, dataDir }: Config): string | undefined {
  const file = join(dataDir, keyName)
  if (instanceKey !== undefined || databaseUrl !== undefined || !existsSync(file)) return instanceKey
  return readFileSync(file, 'utf8').trim()
}

/**
 * The key that encrypts what must be read again. On SQLite it is made on first use and kept beside the data; replicas
 * on PostgreSQL must share one, so there it has to be given.
 */
export function instanceKey(config: Config): string {
  if (config.instanceKey !== undefined) return longEnough(config.instanceKey, 'WATCHPOST_INSTANCE_KEY')
  if (config.databaseUrl !== undefined) {
    throw new OperatorError(
      'WATCHPOST_INSTANCE_KEY is required with --database-url, the same for every replica; make one with: openssl rand -base64 32',
    )
  }
  const file = join(config.dataDir, keyName)
  const kept = readKey(config)
  if (kept !== undefined) return longEnough(kept, file)
  const key = randomBytes(32).toString('base64')
  // Whole or not at all: with an empty key everything would be sealed with what anybody knows.
  const half = `${file}.new`
  writeFileSync(half, `${key}\n`, { mode: 0o600, flush: true })
  renameSync(half, file)
  return key
}

function longEnough(key: string, where: string): string {
  if (!isLongEnough(key))
    throw new OperatorError(`${where} is too short to keep a secret; restore it, or use 32 random bytes`)
  return key
}
