import { ApiError } from '@watchpost/contract'
import { ConflictError, type Db, holdMonitor, restartMonitor, type Step, takeIds } from '@watchpost/store'
import type { Audit } from './audit.ts'

/** What a request's headers ask of its writes. */
export interface Wishes {
  /** Written in the same commit as the first effect; ids alone are none. */
  claim?: readonly Step[]
  /** What is told of the effect, in the same commit as the first. */
  audit?: Pick<Audit, 'steps'> | undefined
  /** `If-Match` was sent: whoever wrote in between is not to be overwritten, so nothing is decided anew. */
  exact?: boolean
}

/** They conflict with results, too, which change no setting: the handler looks again. */
const byResults = new Set([restartMonitor.name, holdMonitor.name])

/** The store as one request sees it. */
export function requestDb(db: Db, { claim = [], audit, exact = false }: Wishes): Db {
  const taken = new Map<string, number>()
  let claimed = claim.length === 0 && audit === undefined
  const commit: Db['commit'] = async steps => {
    const effect = steps.some(({ query }) => query !== takeIds)
    const added = claimed || !effect ? [] : [...claim, ...(audit?.steps(taken) ?? [])]
    try {
      const rows = await db.commit([...steps, ...added])
      if (!effect) rememberIds(steps, rows, taken)
      claimed ||= effect
      return rows.slice(0, steps.length)
    } catch (error) {
      if (exact && error instanceof ConflictError && !byResults.has(error.query)) throw changedMeanwhile()
      throw error
    }
  }
  return {
    engine: db.engine,
    all: (query, params) => db.all(query, params),
    one: (query, params) => db.one(query, params),
    append: (table, rows, steps) => db.append(table, rows, steps),
    script: sql => db.script(sql),
    close: () => db.close(),
    commit,
  }
}

function rememberIds(steps: readonly Step[], rows: Awaited<ReturnType<Db['commit']>>, taken: Map<string, number>) {
  for (const [index, { params }] of steps.entries()) {
    const value = rows[index]?.[0]?.value
    if (typeof value === 'number') taken.set(String(params.name), value)
  }
}

export const changedMeanwhile = (): ApiError =>
  new ApiError('precondition_failed', 'It has changed since it was read (If-Match); read it again and decide anew')
