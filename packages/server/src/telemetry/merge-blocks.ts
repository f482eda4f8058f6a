import { ConflictError, ConstraintError, dayName, type SmallBlock, telemetryDay } from '@watchpost/store'
import type { Attributes, LogRecord, Origin } from '../ingest/rows.ts'
import type { Archive, OpenDay } from './archive.ts'
import { type Block, kinds, mostItems, msOf, unpackBody } from './block.ts'
import { fileIds, idAt } from './block-ids.ts'
import { blockStep } from './block-steps.ts'
import { addHashes } from './bloom.ts'
import { LogLines, packLogs, readLogHead, type Sources } from './log-block.ts'
import { type LogPart, prepareLogs } from './prepared-logs.ts'
import type { SpanPart } from './prepared-spans.ts'
import { packSpans, SpanLines } from './span-block.ts'
import { readHead } from './span-head.ts'
import { markOf } from './span-line.ts'
import { settledMs } from './trace-index.ts'

/** A block with more is large enough. */
const small = mostItems / 2
/** Blocks wait so long for others, and for so many: the last of them is written again each time. */
const waitMs = 10_000
const fewest = 8
/** What had no company for so long stays alone. */
const patienceMs = 600_000
/** Packed bytes of what is put together at once, and how often in one turn. */
const mostBytes = 1_048_576
/** Of these unpacked: what is the same over and over becomes a thousand times as large. */
const mostText = 16_777_216
const mostMerges = 20
const looked = 5000
const dayMs = 86_400_000

/**
 * Puts small blocks together, which single requests have left: they take more bytes for each item, and lists open more of
 * them. Blocks that runs name stay as they are.
 */
export async function mergeBlocks(archive: Archive, now: number, isStopped: () => boolean): Promise<void> {
  const oldest = dayName(now - dayMs)
  for (const open of await archive.all()) {
    if (open.day < oldest) continue
    const covered = (await archive.index(open)).coveredTo()
    const queries = telemetryDay(open.day)
    const digested = (await open.db.one(queries.digestedTo, {}))?.to_id ?? 0
    const after = Math.max(archive.settledTo.get(open.day) ?? 0, digested)
    const before = idAt(now - waitMs)
    const found = await open.db.all(queries.smallBlocks, { after, before, items: small, limit: looked })
    const free = found.filter(({ kind, id }) => kind !== kinds.spans || id > covered)
    let done = 0
    let settled = Math.max(after, found.length === looked ? (found.at(-1) as SmallBlock).id : before - 1)
    for (const [app_id, ofApp] of Map.groupBy(free, ({ app_id }) => app_id)) {
      const replacements: Replacement[] = []
      for (const [kind, blocks] of Map.groupBy(ofApp, ({ kind }) => kind)) {
        const { ready, waiting } = choose(blocks, mostMerges - done, now)
        done += ready.length
        for (const group of ready) if (!isStopped()) replacements.push(...(await putTogether(open, kind, group)))
        for (const [first] of waiting) settled = Math.min(settled, (first as SmallBlock).id - 1)
      }
      if (replacements.length > 0) await replace(open, app_id, replacements, now)
    }
    // Those of other replicas may become visible behind it.
    if (archive.engine === 'postgres') settled = Math.min(settled, idAt(now - settledMs))
    archive.settledTo.set(open.day, settled)
  }
}

/** Groups of blocks that become one, so many at most, and those that wait: for others to join, or for the next turn. */
function choose(blocks: SmallBlock[], most: number, now: number): { ready: SmallBlock[][]; waiting: SmallBlock[][] } {
  const groups = groupsOf(blocks)
  const last = groups.at(-1) as SmallBlock[]
  const enough = groups.filter(({ length }) => length >= fewest)
  const waiting = enough.slice(most)
  if (last.length < fewest && (last[0] as SmallBlock).id > idAt(now - patienceMs)) waiting.push(last)
  return { ready: enough.slice(0, most), waiting }
}

/** In the order of arrival, none larger than a block may be. */
function groupsOf(blocks: SmallBlock[]): SmallBlock[][] {
  const groups: SmallBlock[][] = []
  let items = 0
  let bytes = 0
  for (const block of blocks) {
    items += block.items
    bytes += block.bytes
    if (groups.length > 0 && items <= mostItems && bytes <= mostBytes) groups.at(-1)?.push(block)
    else {
      groups.push([block])
      items = block.items
      bytes = block.bytes
    }
  }
  return groups
}

interface WholeBlock {
  id: number
  head: Uint8Array
  body: Uint8Array
}

/** A block that takes the place of others. */
interface Replacement {
  kind: number
  ids: number[]
  block: Block
}

async function putTogether({ day, db }: OpenDay, kind: number, group: SmallBlock[]): Promise<Replacement[]> {
  const whole = await db.all(telemetryDay(day).wholeBlocks, { ids: group.map(({ id }) => id) })
  if (whole.length < group.length) return []
  const parts = inMemoryAtOnce(whole).filter(({ length }) => length > 1)
  return parts.map(part => ({ kind, ids: part.map(({ id }) => id), block: packed(kind, part) }))
}

function packed(kind: number, whole: WholeBlock[]): Block {
  if (kind === kinds.spans) return packSpans(whole.map(({ head, body }) => partOf(head, body)))
  return packLogs([partOfLogs(whole.flatMap(({ body }) => recordsOf(body)))], whole.flatMap(sourcesOf))
}

function inMemoryAtOnce(blocks: WholeBlock[]): WholeBlock[][] {
  const parts: WholeBlock[][] = []
  let text = 0
  for (const block of blocks) {
    const { length } = unpackBody(block.body)
    text += length
    if (parts.length > 0 && text <= mostText) parts.at(-1)?.push(block)
    else {
      parts.push([block])
      text = length
    }
  }
  return parts
}

/**
 * All of an app in one commit, since whoever reads its blocks meanwhile has to begin again; where another replica was
 * first, or wrote a run of some, nothing happens.
 */
async function replace({ day, db }: OpenDay, app_id: number, replacements: Replacement[], now: number): Promise<void> {
  const queries = telemetryDay(day)
  const steps = replacements.flatMap(({ kind, ids, block }) => [
    { query: queries.deleteBlocks, params: { ids }, expect: ids.length },
    ...(kind === kinds.spans ? [{ query: queries.runsSince, params: { id: ids[0] as number }, expect: 0 }] : []),
    { query: queries.digestsSince, params: { id: ids[0] as number }, expect: 0 },
    blockStep(queries, app_id, block, fileIds.next(now)),
  ])
  try {
    await db.commit([...steps, { query: queries.countMerge, params: { app_id } }])
  } catch (error) {
    if (!(error instanceof ConflictError || error instanceof ConstraintError)) throw error
  }
}

/** Records keep the order that they came in, among those of other blocks too. */
function sourcesOf({ id, head }: { id: number; head: Uint8Array }): Sources {
  const { items, sources } = readLogHead(head)
  return sources ?? [[id, items]]
}

function recordsOf(body: Uint8Array): LogRecord[] {
  const lines = new LogLines(body)
  return Array.from({ length: lines.count }, (_, at) => lines.record(at))
}

function partOfLogs(records: LogRecord[]): LogPart {
  return { prepared: prepareLogs(records), from: 0, to: records.length }
}

/** Spans of a block as they were before they were packed; their lines as they are. */
function partOf(packedHead: Uint8Array, body: Uint8Array): SpanPart {
  const head = readHead(packedHead)
  const lines = new SpanLines(head, unpackBody(body))
  const count = head.items
  const texts: Buffer[] = []
  const hashes: number[] = []
  const prepared = {
    count,
    traceIds: new Array<string>(count),
    names: new Array<string>(count),
    origins: new Array<Origin>(count),
    startMs: new Float64Array(count),
    durationMs: new Float64Array(count),
    marks: new Uint8Array(count),
    hashEnds: new Uint32Array(count),
    lineEnds: new Uint32Array(count),
  }
  let end = 0
  for (let at = 0; at < count; at++) {
    const span = lines.read(at)
    const text = lines.line(at)
    texts.push(text)
    end += text.length
    prepared.lineEnds[at] = end
    prepared.traceIds[at] = span.traceId
    prepared.names[at] = span.name
    prepared.origins[at] = span.origin
    prepared.startMs[at] = msOf(span.start)
    prepared.durationMs[at] = span.durationNs / 1e6
    prepared.marks[at] = markOf(span)
    addHashes(hashes, span.attributes as Attributes)
    prepared.hashEnds[at] = hashes.length
  }
  const all = { ...prepared, text: Buffer.concat(texts), hashes: new Int32Array(hashes) }
  return { prepared: all, from: 0, to: count }
}
