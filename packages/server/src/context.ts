import type { Db } from '@watchpost/store'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Keyring } from './secrets.ts'
import type { Seen } from './workers/last-seen.ts'

/** What every handler and worker is given; made once, in `serve.ts`. */
export interface Context {
  db: Db
  config: Config
  log: Logger
  keyring: Keyring
  /** When tokens and probes were last seen, gathered here and written every few seconds. */
  seen: Seen
  /** Where people find this server. */
  siteUrl(): string
  /** Epoch ms; a fake one in tests. */
  now(): number
  /** Tells the delivery worker that an event was committed. */
  eventCommitted(): void
}
