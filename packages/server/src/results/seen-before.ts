import type { Db } from '@watchpost/store'
import { decodeBlock } from '../domain/check-block.ts'
import type { MonitorMemory } from '../domain/fold-check.ts'
import type { CheckTables } from './check-tables.ts'
import { oldestResultMs, type ReadResult, runReachMs } from './read-result.ts'

/**
 * Whether a run is among the checks already (ruling 11), as far as memory can tell: `ask` where only the tables know.
 * A run that was due later than all before it is new, and most are.
 */
export function seenBefore(memory: MonitorMemory, result: ReadResult): boolean | 'ask' {
  if (result.run === 'given') return false
  if (result.run === 'foreign') return 'ask'
  if (result.due_at > memory.newestDueAt) return false
  const unfiled = [memory.block.bytes(), ...memory.fullBlocks.map(each => each.data)]
  if (unfiled.some(bytes => holds(bytes, result))) return true
  return result.due_at > memory.filedDueAt ? false : 'ask'
}

/** Asks the tables, for what {@link seenBefore} cannot tell. */
export async function seenInTables(db: Db, tables: CheckTables, result: ReadResult, now: number): Promise<boolean> {
  if (result.run === 'named' && (await askBlocks(db, tables, result))) return true
  const { run_id } = result.sent
  if (run_id === undefined) return false
  for (const { evidenceByRun } of await tables.between(now - oldestResultMs, now)) {
    if ((await db.one(evidenceByRun, { monitor_id: result.monitor_id, run_id })) !== undefined) return true
  }
  return false
}

async function askBlocks(db: Db, tables: CheckTables, result: ReadResult): Promise<boolean> {
  const to = result.due_at + runReachMs
  for (const { blocks } of await tables.between(result.due_at - runReachMs, to)) {
    for (const { data } of await db.all(blocks, { monitor_id: result.monitor_id, to })) {
      if (holds(data, result)) return true
    }
  }
  return false
}

function holds(bytes: Uint8Array, { due_at, nonce }: ReadResult): boolean {
  return decodeBlock(bytes).some(check => check.run === 'named' && check.due_at === due_at && check.nonce === nonce)
}
