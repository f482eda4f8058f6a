import { type Db, type EvidenceRow, openChecks } from '@watchpost/store'
import { decodeBlock, type KeptCheck } from '../domain/check-block.ts'
import type { CheckTables } from './check-tables.ts'

interface OfMonitor {
  team_id: number
  id: number
}

/** Checks of a monitor that ran between two moments, both among them, in the order they ran. */
export async function readChecks(
  db: Db,
  tables: CheckTables,
  { team_id, id: monitor_id }: OfMonitor,
  from: number,
  to: number,
): Promise<KeptCheck[]> {
  const days = await tables.between(from, to)
  // The open ones first: a block that is filed in between is told twice, never not at all.
  const open = await db.one(openChecks, { team_id, monitor_id })
  const filed = await Promise.all(days.map(({ blocks }) => db.all(blocks, { monitor_id, to })))
  const blocks = [...filed.flat().map(({ data }) => data), ...(open?.open_checks ? [open.open_checks] : [])]
  const checks = blocks.flatMap(decodeBlock).filter(each => each.checked_at >= from && each.checked_at <= to)
  checks.sort((a, b) => a.checked_at - b.checked_at || a.nonce - b.nonce)
  return checks.filter((each, index) => !isSame(each, checks[index - 1]))
}

function isSame(check: KeptCheck, before: KeptCheck | undefined): boolean {
  return before?.checked_at === check.checked_at && before.nonce === check.nonce && before.due_at === check.due_at
}

/** What is kept of some checks beyond their few bytes, by {@link evidenceKey}. */
export async function readEvidence(
  db: Db,
  tables: CheckTables,
  monitor_id: number,
  from: number,
  to: number,
): Promise<Map<string, EvidenceRow>> {
  const days = await tables.between(from, to)
  const rows = await Promise.all(days.map(({ evidence }) => db.all(evidence, { monitor_id, from, to })))
  return new Map(rows.flat().map(row => [evidenceKey(row), row]))
}

/** What joins a check and its evidence. */
export function evidenceKey({ checked_at, nonce }: { checked_at: number; nonce: number }): string {
  return `${checked_at} ${nonce}`
}
