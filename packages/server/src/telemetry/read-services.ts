import type { ServiceSummary } from '@watchpost/contract'
import type { Archive } from './archive.ts'
import type { Slice } from './ask.ts'
import { kinds, type ServiceCount } from './block.ts'
import { Budget, newestBlocks } from './slices.ts'

/** Services that are listed: whoever has more has named something else so. */
const mostServices = 2000

/** Who has sent spans or logs, in the order of their names; as far back as time allows. */
export async function readServices(
  archive: Archive,
  { app_id, from, to }: { app_id: number; from: number; to: number },
): Promise<Slice<ServiceSummary>> {
  const services = new Map<string, ServiceSummary & { last: number }>()
  let complete = true
  const days = await archive.all()
  const range = { app_id, from: Math.floor(from), to: Math.min(Math.ceil(to), Number.MAX_SAFE_INTEGER), hashes: [] }
  for (const kind of [kinds.spans, kinds.logs]) {
    const budget = new Budget()
    for await (const block of newestBlocks(days, { ...range, kind })) {
      if (budget.isSpent()) {
        complete = false
        break
      }
      for (const [name, items, errors, last] of JSON.parse(block.services) as ServiceCount[]) {
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
        if (services.size < mostServices || services.has(name)) services.set(name, known)
        else complete = false
      }
    }
  }
  const rows = [...services.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return {
    rows: rows.map(({ last, ...row }) => ({ ...row, last_seen_at: new Date(Math.min(last, 8.64e15)).toISOString() })),
    meta: { next_cursor: null, complete },
  }
}
