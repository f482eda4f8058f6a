import { type AppOfKey, appByToken, type Db } from '@watchpost/store'
import type { Changes } from '../changes.ts'

/** How long an app is known without being read again, ms: what commands beside the server change is seen after that. */
const knownMs = 1000
const mostKnown = 10_000

interface Known {
  app: AppOfKey
  until: number
  /** Of its team, when it was read. */
  changes: number
}

/**
 * Apps by the hash of their token. On SQLite, which has one server, that server remembers them for a moment, as long as it
 * writes nothing of their team. Replicas on PostgreSQL read each time: rotated means refused at once.
 */
export class KnownApps {
  private readonly db: Db
  private readonly changes: Changes
  private readonly now: () => number
  private readonly known = new Map<string, Known>()

  constructor(db: Db, changes: Changes, now: () => number) {
    this.db = db
    this.changes = changes
    this.now = now
  }

  /** A promise only where it must be read. */
  find(hash: string): AppOfKey | Promise<AppOfKey | undefined> {
    const known = this.known.get(hash)
    if (known === undefined || this.now() >= known.until) return this.read(hash)
    return this.changes.of(known.app.team_id) === known.changes ? known.app : this.read(hash)
  }

  private async read(hash: string): Promise<AppOfKey | undefined> {
    const before = this.changes.total
    const app = await this.db.one(appByToken, { hash })
    this.known.delete(hash)
    // What was written meanwhile may be about it.
    if (app !== undefined && this.db.engine === 'sqlite' && this.changes.total === before) {
      if (this.known.size >= mostKnown) this.known.clear()
      this.known.set(hash, { app, until: this.now() + knownMs, changes: this.changes.of(app.team_id) })
    }
    return app
  }
}
