import { ConflictError, ConstraintError, dayName, telemetryDay } from '@watchpost/store'
import type { Archive, OpenDay } from './archive.ts'
import type { ServiceCount } from './block.ts'
import { packFilters } from './block-filters.ts'

/** Blocks of all apps that are digested together, and how often in one turn. */
const blocksAtOnce = 128
const mostTurns = 20
/** Names of services that a digest tells. */
const mostServices = 500
const dayMs = 86_400_000

/**
 * Tells what many blocks hold that stay as they are: their services counted together, and a coarse filter of each. Whoever looks
 * through millions of items reads digests, and of the blocks those that they do not rule out.
 */
export async function digestBlocks(
  archive: Archive,
  now: number,
  isStopped: () => boolean,
  atOnce = blocksAtOnce,
): Promise<void> {
  const oldest = dayName(now - dayMs)
  for (const open of await archive.all()) {
    if (archive.digested.has(open.day)) continue
    const isOver = open.day < oldest
    const until = isOver ? Number.MAX_SAFE_INTEGER : (archive.settledTo.get(open.day) ?? 0)
    for (let turn = 0; turn < mostTurns && !isStopped(); turn++) {
      const next = await digestNext(open, until, isOver ? 1 : atOnce, atOnce)
      if (next === 'done') continue
      if (isOver && next === 'nothing') archive.digested.add(open.day)
      break
    }
  }
}

/** @returns `nothing` where there are too few, `taken` where others were at them meanwhile */
async function digestNext(
  { day, db }: OpenDay,
  until: number,
  fewest: number,
  limit: number,
): Promise<'done' | 'nothing' | 'taken'> {
  const queries = telemetryDay(day)
  const after = (await db.one(queries.digestedTo, {}))?.to_id ?? 0
  const blocks = await db.all(queries.blocksToDigest, { after, until, limit })
  const last = blocks.at(-1)
  if (last === undefined || blocks.length < fewest) return 'nothing'
  const ids = blocks.map(({ id }) => id)
  const groups = Map.groupBy(blocks, ({ app_id, kind }) => `${app_id} ${kind}`)
  const digests = [...groups.values()].map(group => {
    const { app_id, kind } = group[0] as (typeof blocks)[number]
    const first_at = Math.min(...group.map(each => each.first_at))
    const last_at = Math.max(...group.map(each => each.last_at))
    const told = { services: servicesOf(group), filters: packFilters(group) }
    return {
      query: queries.insertDigest,
      params: { app_id, kind, from_id: after + 1, to_id: last.id, first_at, last_at, ...told },
    }
  })
  try {
    await db.commit([
      { query: queries.holdBlocks, params: { ids }, expect: ids.length },
      { query: queries.digestsSince, params: { id: after + 1 }, expect: 0 },
      ...digests,
    ])
  } catch (error) {
    // Another replica was first, or has put some of these blocks together.
    if (!(error instanceof ConflictError || error instanceof ConstraintError)) throw error
    return 'taken'
  }
  return 'done'
}

function servicesOf(blocks: { services: string }[]): string | null {
  const counts = new Map<string, ServiceCount>()
  for (const { services } of blocks) {
    for (const [name, items, errors, last] of JSON.parse(services) as ServiceCount[]) {
      const count = counts.get(name)
      if (count === undefined) counts.set(name, [name, items, errors, last])
      else counts.set(name, [name, count[1] + items, count[2] + errors, Math.max(count[3], last)])
    }
    if (counts.size > mostServices) return null
  }
  return JSON.stringify([...counts.values()])
}
