import type { ServiceSummary } from '@watchpost/contract'
import { telemetryDay } from '@watchpost/store'
import type { Archive } from './archive.ts'
import type { Slice } from './ask.ts'
import { kinds, type ServiceCount } from './block.ts'
import { Budget } from './slices.ts'

/** Blocks of a day that are looked at. */
const mostBlocks = 20_000

/** Who has sent spans or logs, in the order of their names; as far back as time allows. */
export async function readServices(
  archive: Archive,
  { app_id, from, to }: { app_id: number; from: number; to: number },
): Promise<Slice<ServiceSummary>> {
  const budget = new Budget()
  const services = new Map<string, ServiceSummary & { last: number }>()
  let complete = true
  for (const { db, day } of await archive.all()) {
    for (const kind of [kinds.spans, kinds.logs]) {
      const range = { from: Math.floor(from), to: Math.min(Math.ceil(to), Number.MAX_SAFE_INTEGER) }
      const rows = await db.all(telemetryDay(day).services, { app_id, kind, ...range, limit: mostBlocks })
      if (rows.length === mostBlocks) complete = false
      for (const row of rows) {
        for (const [name, items, errors, last] of JSON.parse(row.services) as ServiceCount[]) {
          const known = services.get(name) ?? {
            name,
            span_count: 0,
            error_count: 0,
            log_count: 0,
            last_seen_at: '',
            last: 0,
          }
          if (kind === kinds.spans) {
            known.span_count += items
            known.error_count += errors
          } else known.log_count += items
          known.last = Math.max(known.last, last)
          services.set(name, known)
        }
      }
    }
    if (budget.isSpent()) {
      complete = false
      break
    }
  }
  const rows = [...services.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return {
    rows: rows.map(({ last, ...row }) => ({ ...row, last_seen_at: new Date(Math.min(last, 8.64e15)).toISOString() })),
    meta: { next_cursor: null, complete },
  }
}
