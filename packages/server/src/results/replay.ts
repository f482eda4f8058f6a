import { type Db, journal } from '@watchpost/store'
import { foldCheck } from '../domain/fold-check.ts'
import { decodeJournal } from '../domain/result-journal.ts'
import type { KeptMonitors } from './kept-monitors.ts'

/**
 * Does again what the journal says, to monitors whose rows do not hold it yet: each entry counts, and so does each row.
 * @returns the number of the next entry
 */
export async function replayJournal(db: Db, monitors: KeptMonitors, now: number): Promise<number> {
  monitors.forgetAll()
  let next = 1
  for (const { id, data } of await db.all(journal, {})) {
    next = id + 1
    for (const { monitor_id, seq, planned, check } of decodeJournal(data)) {
      const kept = monitors.get(monitor_id) ?? (await monitors.load(monitor_id, check.probe_id))
      if (kept === undefined || seq <= kept.memory.seq) continue
      foldCheck(kept.memory, check, kept.policy, planned)
      monitors.fallBehind(kept, id, now)
    }
  }
  return next
}
