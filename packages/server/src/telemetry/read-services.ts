import type { ServiceSummary } from '@watchpost/contract'
import { type TelemetryBlock, type TelemetryDigest, telemetryDay } from '@watchpost/store'
import type { Archive, OpenDay } from './archive.ts'
import type { Slice } from './ask.ts'
import { kinds, type ServiceCount } from './block.ts'
import { Budget, type WantedBlocks } from './slices.ts'

/** Services that are listed: whoever has more has named something else so. */
const mostServices = 2000
/** Blocks that are asked for at once. */
const atOnce = 256

/** Who has sent spans or logs, in the order of their names; as far back as time allows. */
export async function readServices(
  archive: Archive,
  { app_id, from, to }: { app_id: number; from: number; to: number },
): Promise<Slice<ServiceSummary>> {
  const services = new Map<string, ServiceSummary & { last: number }>()
  let complete = true
  const days = await archive.all()
  const range = { app_id, from: Math.floor(from), to: Math.min(Math.ceil(to), Number.MAX_SAFE_INTEGER) }
  for (const kind of [kinds.spans, kinds.logs]) {
    const budget = new Budget()
    for await (const counts of newestCounts(days, { ...range, kind })) {
      if (budget.isSpent()) {
        complete = false
        break
      }
      for (const [name, items, errors, last] of JSON.parse(counts) as ServiceCount[]) {
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

/** What was kept, by services, what arrived last first: digests where all of them counts, blocks where there is none. */
async function* newestCounts(days: OpenDay[], wanted: Omit<WantedBlocks, 'hashes'>): AsyncGenerator<string> {
  for (const open of days) {
    const { digests, digestedTo } = await digestsOf(open, wanted)
    yield* countsBetween(open, wanted, digestedTo + 1, Number.MAX_SAFE_INTEGER)
    for (const { from_id, to_id, first_at, last_at, services } of digests) {
      if (services !== null && first_at >= wanted.from && last_at <= wanted.to) yield services
      else yield* countsBetween(open, wanted, from_id, to_id)
    }
  }
}

async function digestsOf(
  { day, db }: OpenDay,
  wanted: Omit<WantedBlocks, 'hashes'>,
): Promise<{ digests: TelemetryDigest[]; digestedTo: number }> {
  const queries = telemetryDay(day)
  // One that comes meanwhile is of blocks that are asked for one by one.
  const digestedTo = (await db.one(queries.digestedTo, {}))?.to_id ?? 0
  const digests = await db.all(queries.digests, wanted)
  return { digests: digests.filter(({ to_id }) => to_id <= digestedTo), digestedTo }
}

async function* countsBetween(
  { day, db }: OpenDay,
  wanted: Omit<WantedBlocks, 'hashes'>,
  from_id: number,
  to_id: number,
): AsyncGenerator<string> {
  for (let to = to_id; ; ) {
    const params = { ...wanted, from_id, to_id: to, limit: atOnce }
    const blocks: TelemetryBlock[] = await db.all(telemetryDay(day).blocksBetween, params)
    for (const { services } of blocks) yield services
    const last = blocks.at(-1)
    if (last === undefined || blocks.length < atOnce) return
    to = last.id - 1
  }
}
