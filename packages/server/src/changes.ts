import type { Db, Step } from '@watchpost/store'

/** Counts what this process has written of each team, so that what was computed from it is known to be old. */
export class Changes {
  private readonly counts = new Map<number, number>()
  /** Of all teams. */
  total = 0

  of(team_id: number): number {
    return this.counts.get(team_id) ?? 0
  }

  happened(team_id: number): void {
    this.counts.set(team_id, this.of(team_id) + 1)
    this.total++
  }
}

/** Statements about who asks and what was sent, not about what anybody is shown. */
const unseen = /^(delivery|outbox|token|probe|idempotency|sequence|session|usage|lease|audit)\b/

/** The store, telling of each commit whose teams it was about. */
export function tellingChanges(db: Db, changes: Changes): Db {
  const told = (steps: readonly Step[]) => {
    let last: unknown
    for (const { query, params } of steps) {
      const { team_id } = params
      if (team_id === last || unseen.test(query.name)) continue
      last = team_id
      if (typeof team_id === 'number') changes.happened(team_id)
    }
  }
  return {
    engine: db.engine,
    all: (query, params) => db.all(query, params),
    one: (query, params) => db.one(query, params),
    script: sql => db.script(sql),
    close: () => db.close(),
    async commit(steps) {
      const rows = await db.commit(steps)
      told(steps)
      return rows
    },
    async append(table, rows, steps = []) {
      await db.append(table, rows, steps)
      told(steps)
    },
  }
}
