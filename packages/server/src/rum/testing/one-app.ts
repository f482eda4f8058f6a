import { type Db, insertApp, migrate, migrations, setTeamQuota } from '@watchpost/store'
import type { Place } from '@watchpost/store/testing'
import type { RumOutcome } from '../decide.ts'
import { readEvents } from '../read-events.ts'
import { RumWriter } from '../writer.ts'

const client = { browser: null, os: null, device: null }

/** A store with an app of any number of events, and what takes them, at a time that a test says. */
export class OneApp {
  readonly app = { team_id: 1, id: 1, name: 'Shop' }
  readonly db: Db
  readonly writer: RumWriter
  now: number

  private constructor(db: Db, now: string) {
    this.db = db
    this.now = Date.parse(now)
    this.writer = this.another()
  }

  static async on(place: Place, now: string): Promise<OneApp> {
    const db = await place.open()
    await migrate(db, migrations)
    const keys = { app_token: 'x', app_token_hash: 'x', api_key: 'x', api_key_hash: 'x', created_at: 1, updated_at: 1 }
    const one = new OneApp(db, now)
    await db.commit([
      { query: insertApp, params: { ...one.app, allowed_origins: '[]', ...keys } },
      { query: setTeamQuota, params: { team_id: 1, quota: 'rum_events', quota_limit: null } },
    ])
    return one
  }

  another(): RumWriter {
    const log = { error: () => undefined } as never
    return new RumWriter({ db: this.db, now: () => this.now, log, eventCommitted: () => undefined })
  }

  take(events: object[], by = this.writer): Promise<RumOutcome> {
    const body = Buffer.from(JSON.stringify(events.map(event => ({ url: 'https://a.example/', ...event }))))
    return by.take(this.app, { items: readEvents(body, undefined, this.now).items, client })
  }
}
