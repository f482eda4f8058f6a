import type { CheckResult } from '@watchpost/contract'
import {
  type Db,
  insertMonitor,
  insertMonitorState,
  migrate,
  migrations,
  monitorById,
  type Query,
} from '@watchpost/store'
import type { Place } from '@watchpost/store/testing'
import { Changes } from '../../changes.ts'
import type { Context } from '../../context.ts'
import { RumWriter } from '../../rum/writer.ts'
import { readChecks } from '../history.ts'
import { ResultWriter } from '../writer.ts'

const query = <R>(name: string, sql: string): Query<R> => ({ name, sql })
const grant = query('test.grant', 'insert into grants (team_id, monitor_id, probe_id) values (1, @id, 1)')
const events = query<{ body: string }>('test.events', 'select body from outbox order by created_at, id')

const dayAgo = 86_400_000

/** A store with a monitor or two, given to probe 1, and what takes its results. */
export class OneMonitor {
  readonly db: Db
  private readonly changed = new Changes()
  now = Date.parse('2026-11-20T12:00:00Z')
  writer: ResultWriter

  private constructor(db: Db) {
    this.db = db
    this.writer = this.another()
  }

  static async on(place: Place, monitors = 1): Promise<OneMonitor> {
    const db = await place.open()
    await migrate(db, migrations)
    for (let id = 1; id <= monitors; id++) {
      const settings = { name: 'Shop', target: 'a:1', type: 'tcp', interval_s: 60, timeout_s: 10, method: 'get' }
      const flags = { ssl_verify: 1, enabled: 1, is_active: 1, options: '{}', created_at: 1, updated_at: 1 }
      await db.commit([
        { query: insertMonitor, params: { team_id: 1, id, ...settings, ...flags } },
        { query: insertMonitorState, params: { team_id: 1, monitor_id: id, status: 'pending', due_at: 1 } },
        { query: grant, params: { id } },
      ])
    }
    return new OneMonitor(db)
  }

  /** Another process: a replica, or this one after a crash. It knows nothing but what is in the store. */
  another(): ResultWriter {
    return new ResultWriter(this.given())
  }

  given() {
    const windows = { covers: () => false }
    return { db: this.db, changes: this.changed, windows, now: () => this.now, eventCommitted: () => undefined }
  }

  context(writer = this.writer): Context {
    const given = this.given()
    const log = { error: () => undefined } as unknown as Context['log']
    const config = { telemetry: { days: { telemetry: 30, points: 7 } } }
    return { ...given, results: writer, rum: new RumWriter({ ...given, log }), config } as unknown as Context
  }

  send(results: Partial<CheckResult>[], writer = this.writer) {
    const sent = results.map(
      each => ({ monitor_id: 1, status: 'online', response_time_ms: 20, ...each }) as CheckResult,
    )
    return writer.accept({ team_id: 0, probe_id: 1 }, sent)
  }

  /** Everything there is of monitor 1, as reads see it. */
  async seen(writer = this.writer) {
    await writer.settle()
    const checks = await readChecks(this.db, writer.tables, { team_id: 1, id: 1 }, this.now - 8 * dayAgo, this.now)
    const monitor = await this.db.one(monitorById, { team_id: 1, id: 1, hour_from: 0 })
    return { checks, monitor }
  }

  async changes(): Promise<string[]> {
    const rows = await this.db.all(events, {})
    return rows.map(({ body }) => JSON.parse(body).data.new_status).filter(status => status !== undefined)
  }
}
