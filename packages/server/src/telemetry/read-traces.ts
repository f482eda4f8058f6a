import type { TraceSummary } from '@watchpost/contract'
import { telemetryDay } from '@watchpost/store'
import type { Archive, OpenDay } from './archive.ts'
import type { Search, Slice } from './ask.ts'
import { kinds, type ServiceCount, unpackBody } from './block.ts'
import { attributeHash, wordOf } from './bloom.ts'
import { Budget, cursorOf, type FoundBlock, newestBlocks, readCursor } from './slices.ts'
import { SpanLines } from './span-block.ts'
import type { ReadHead } from './span-head.ts'
import type { StoredSpan } from './span-line.ts'
import { traceKey } from './trace-index.ts'

export interface TraceSearch extends Search {
  name: string | undefined
  minDuration: number | undefined
  maxDuration: number | undefined
  status: number | undefined
}

/** A trace's other spans may begin so much later than the trace itself. */
const slackMs = 300_000
/** So much earlier than the root of its trace a span may be, where clocks differ. */
const skewMs = 1000
/** Traces whose heads are looked up at once. */
const tracesAtOnce = 50
/** Heads that say what these are. */
const mostHeads = 500

interface Candidate {
  traceId: string
  at: number
}

/** What a block holds of a trace. */
interface Part {
  head: ReadHead
  spans: Uint16Array
}

interface Summary extends Omit<TraceSummary, 'started_at'> {
  started: number
}

/**
 * Traces, newest first, that have a span which is all of what is asked for. Blocks are gone through by the newest span in
 * them; a trace is given once nothing newer can come.
 */
export async function readTraces(archive: Archive, search: TraceSearch): Promise<Slice<TraceSummary>> {
  const budget = new Budget()
  const days = await archive.all()
  const after = search.cursor === undefined ? undefined : readCursor(search.cursor)
  const to = Math.min(search.to, after?.[0] ?? Number.POSITIVE_INFINITY)
  const wanted = { app_id: search.app_id, kind: kinds.spans, from: Math.floor(search.from), to: ceiling(to + slackMs) }
  const seen = new Set<string>()
  const ready: Summary[] = []
  const rows: Summary[] = []
  const summaries = new Summaries(archive, days, search.app_id)
  const isWanted = (trace: Summary) =>
    trace.started >= search.from && trace.started <= search.to && (after === undefined || isAfter(trace, after))

  // At the very moment of the bound others may come, in the order of their ids before these.
  const give = (bound: number) => {
    ready.sort((a, b) => b.started - a.started || (a.trace_id < b.trace_id ? 1 : -1))
    while (rows.length < search.limit && ready.length > 0 && (ready[0] as Summary).started > bound) {
      rows.push(ready.shift() as Summary)
    }
  }

  let complete = true
  let pending: string[] = []
  const resolve = async (bound: number) => {
    for (const trace of await summaries.of(pending)) if (isWanted(trace)) ready.push(trace)
    pending = []
    give(bound)
  }
  // Nothing that was not looked at is newer than this.
  let bound = Number.POSITIVE_INFINITY
  const hashes = search.attributes.map(([key, value]) => attributeHash(key, value))
  const blocks = newestBlocks(days, { ...wanted, hashes })
  let next = await blocks.next()
  while (!next.done && rows.length < search.limit) {
    const { block } = next.value
    next = await blocks.next()
    const following = next.done ? Number.NEGATIVE_INFINITY : next.value.last_at
    for (const { traceId, at } of block ? await candidatesOf(archive, block, search, to) : []) {
      if (seen.has(traceId)) continue
      seen.add(traceId)
      pending.push(traceId)
      if (pending.length >= tracesAtOnce) await resolve(Math.max(at, following))
      if (rows.length >= search.limit) break
    }
    bound = following
    if (rows.length < search.limit && (pending.length > 0 || ready.length > 0)) await resolve(bound)
    // Only once the next page will begin further down.
    if (budget.isSpent() && bound < to && !next.done) {
      complete = false
      break
    }
  }
  const last = rows.at(-1)
  const full = rows.length >= search.limit && last !== undefined
  const next_cursor = full ? cursorOf(last.started, last.trace_id) : complete ? null : cursorOf(bound, '\uffff')
  return { rows: rows.map(view), meta: { next_cursor, complete: complete || full } }
}

const ceiling = (at: number): number => Math.min(Math.ceil(at), Number.MAX_SAFE_INTEGER)

/** Ties are broken by id, so that no trace is given twice or left out. */
function isAfter({ started, trace_id }: Summary, [at, key]: [number, string]): boolean {
  return started < at || (started === at && trace_id < key)
}

/** Traces of a block with a span that matches, newest first. @param to when a trace begins at most */
async function candidatesOf(
  archive: Archive,
  block: FoundBlock,
  search: TraceSearch,
  to: number,
): Promise<Candidate[]> {
  const { app_id, service, attributes } = search
  if (service !== undefined && !(JSON.parse(block.services) as ServiceCount[]).some(([name]) => name === service)) {
    return []
  }
  const ids = [block.id]
  // Where the head decides nothing, a block that the filter was wrong about is known by its text alone.
  const early = isOnlyOfAttributes(search) ? await bodyWith(block, search) : undefined
  if (early === null) return []
  const head = (await archive.heads.of(block.open, app_id, ids)).get(block.id)
  if (head === undefined) return []
  const tooLate = beginLater(head, to)
  let places = placesOf(head, search, to + slackMs)
  if (tooLate !== undefined)
    places = places.filter(at => head.startMs(at) <= to || !tooLate.has(head.trace[at] as number))
  if (attributes.length > 0 && places.length > 0) {
    const body = early ?? (await bodyWith(block, search))
    if (body === null) return []
    places = placesWith(head, body, places, attributes)
  }
  return places
    .map(at => ({ traceId: head.traces[head.trace[at] as number] as string, at: head.startMs(at) }))
    .toSorted((a, b) => b.at - a.at)
}

/** Traces of a block whose root is there, and too late: most of what lies behind the beginning of a page. */
function beginLater(head: ReadHead, to: number): Set<number> | undefined {
  if (to === Number.POSITIVE_INFINITY) return undefined
  const traces = new Set<number>()
  for (let at = 0; at < head.items; at++) {
    if (head.startMs(at) > to + skewMs && head.isRoot(at)) traces.add(head.trace[at] as number)
  }
  return traces
}

const isOnlyOfAttributes = ({ attributes, service, name, status, minDuration, maxDuration }: TraceSearch): boolean =>
  attributes.length > 0 && [service, name, status, minDuration, maxDuration].every(each => each === undefined)

/** What is in a block, unpacked; null where it has no text of an attribute. */
async function bodyWith({ open, id }: FoundBlock, { app_id, attributes }: TraceSearch): Promise<Buffer | null> {
  const content = await open.db.one(telemetryDay(open.day).contents, { app_id, ids: [id] })
  if (content === undefined) return null
  const body = unpackBody(content.body)
  return attributes.every(([, value]) => textsOf(value).some(text => body.includes(text))) ? body : null
}

/** As it stands where it is text, and where it is anything else. */
const textsOf = (value: string): string[] => [...new Set([JSON.stringify(value).slice(1, -1), value])]

function placesOf(head: ReadHead, search: TraceSearch, to: number): number[] {
  const service = search.service === undefined ? -1 : head.services.indexOf(search.service)
  const name = search.name === undefined ? -1 : head.names.indexOf(search.name)
  if ((search.service !== undefined && service < 0) || (search.name !== undefined && name < 0)) return []
  const { minDuration = 0, maxDuration = Number.POSITIVE_INFINITY, status, from } = search
  // Kept with 24 bits.
  const least = Math.fround(minDuration)
  const most = Math.fround(maxDuration)
  const places: number[] = []
  for (let at = 0; at < head.items; at++) {
    const duration = head.durationMs[at] as number
    if (service >= 0 && head.service[at] !== service) continue
    if (name >= 0 && head.name[at] !== name) continue
    if (duration < least || duration > most) continue
    if (status !== undefined && head.status(at) !== status) continue
    const start = head.startMs(at)
    if (start >= from && start <= to) places.push(at)
  }
  return places
}

/** Those that have every attribute: only lines that have the text of each are read. */
function placesWith(head: ReadHead, body: Buffer, places: number[], attributes: [string, string][]): number[] {
  const lines = new SpanLines(head, body)
  const passed = attributes.map(([key, value]) => {
    const marks = new Uint8Array(head.items)
    for (const text of textsOf(value)) lines.mark(text, marks)
    const bySender = lines.origins.map(({ resource }) => holds(resource.attributes, key, value))
    return (at: number) => marks[at] === 1 || bySender[head.origin[at] as number] === true
  })
  return places.filter(at => passed.every(has => has(at)) && hasAttributes(lines.read(at), attributes))
}

/** Of the span, or of who sent it. */
function hasAttributes({ attributes, origin }: StoredSpan, wanted: [string, string][]): boolean {
  return wanted.every(([key, value]) => holds(attributes, key, value) || holds(origin.resource.attributes, key, value))
}

export function holds(attributes: unknown[], key: string, value: string): boolean {
  for (let at = 0; at < attributes.length; at += 2) {
    if (attributes[at] === key && wordOf(attributes[at + 1] as string) === value) return true
  }
  return false
}

/** What lists say of traces, from the heads of every block they are in. */
class Summaries {
  private readonly archive: Archive
  private readonly days: OpenDay[]
  private readonly app_id: number

  constructor(archive: Archive, days: OpenDay[], app_id: number) {
    this.archive = archive
    this.days = days
    this.app_id = app_id
  }

  async of(traceIds: string[]): Promise<Summary[]> {
    if (traceIds.length === 0) return []
    const keys = traceIds.map(traceId => traceKey(this.app_id, traceId))
    const parts = new Map<string, Part[]>()
    for (const open of this.days) {
      const found = await (await this.archive.index(open)).find(keys)
      const ids = [...new Set([...found.values()].flat())]
      const heads = await this.archive.heads.of(open, this.app_id, ids.slice(0, mostHeads))
      traceIds.forEach((traceId, index) => {
        for (const id of found.get(keys[index] as number) ?? []) {
          const head = heads.get(id)
          const spans = head?.spansOf(traceId)
          if (head === undefined || spans === undefined || spans.length === 0) continue
          parts.set(traceId, [...(parts.get(traceId) ?? []), { head, spans }])
        }
      })
    }
    return [...parts].map(([traceId, each]) => summary(traceId, each))
  }
}

function summary(trace_id: string, parts: Part[]): Summary {
  let started = Number.POSITIVE_INFINITY
  let ended = 0
  let span_count = 0
  let errors = 0
  let root: { service: string; name: string; at: number; isRoot: boolean } | undefined
  for (const { head, spans } of parts) {
    for (const at of spans) {
      const start = head.startMs(at)
      const isRoot = head.isRoot(at)
      span_count++
      if (head.isError(at)) errors++
      if (start < started) started = start
      ended = Math.max(ended, start + (head.durationMs[at] as number))
      if (root === undefined || (isRoot && !root.isRoot) || (isRoot === root.isRoot && start < root.at)) {
        const service = head.services[head.service[at] as number] as string
        root = { service, name: head.names[head.name[at] as number] as string, at: start, isRoot }
      }
    }
  }
  return {
    trace_id,
    root_service: root?.service ?? null,
    root_name: root?.name ?? null,
    started,
    duration_ms: Math.max(0, Math.round((ended - started) * 1000) / 1000),
    span_count,
    error_count: errors,
  }
}

function view({ started, ...rest }: Summary): TraceSummary {
  const { trace_id, root_service, root_name, ...counts } = rest
  // What is kept in heads is exact to the microsecond.
  const started_at = new Date(Math.min(Math.floor(started + 0.0005), 8.64e15)).toISOString()
  return { trace_id, root_service, root_name, started_at, ...counts }
}
