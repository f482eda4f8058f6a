import type { LogEntry } from '@watchpost/contract'
import { telemetryDay } from '@watchpost/store'
import type { LogRecord } from '../ingest/rows.ts'
import type { Archive } from './archive.ts'
import type { Search, Slice } from './ask.ts'
import { kinds, objectOfAttributes, type ServiceCount } from './block.ts'
import { attributeHash, hasWords, wordHash, wordOf, wordsOf } from './bloom.ts'
import { LogLines, namesOf, readLogHead } from './log-block.ts'
import { traceHash } from './prepared-logs.ts'
import { isoOf, senderView } from './read-trace.ts'
import { holds } from './read-traces.ts'
import { Budget, cursorOf, type FoundBlock, newestBlocks, readCursor } from './slices.ts'

export interface LogSearch extends Search {
  q: string | undefined
  /** Least number. */
  severity: number
  traceId: string | undefined
}

interface Found {
  at: number
  key: string
  log: LogRecord
  /** Of its line, and of who sent it. */
  length: number
}

/** Of the records of one page together; beyond it the page ends early, and its cursor goes on. */
const mostText = 4_194_304

/** Log records, newest first, that are all of what is asked for. */
export async function readLogs(archive: Archive, search: LogSearch): Promise<Slice<LogEntry>> {
  const budget = new Budget()
  const after = search.cursor === undefined ? undefined : readCursor(search.cursor)
  const to = Math.min(search.to, after?.[0] ?? Number.POSITIVE_INFINITY)
  const upTo = Math.min(Math.ceil(to), Number.MAX_SAFE_INTEGER)
  const words = search.q === undefined ? [] : [...wordsOf(search.q)]
  const hashes = [
    ...words.map(wordHash),
    ...search.attributes.map(([key, value]) => attributeHash(key, value)),
    ...(search.traceId === undefined ? [] : [traceHash(search.traceId)]),
  ]
  const wanted = { app_id: search.app_id, kind: kinds.logs, from: Math.floor(search.from), to: upTo, hashes }
  let found: Found[] = []
  let page: Found[] = []
  let complete = true
  let bound = Number.POSITIVE_INFINITY
  const newestFirst = (a: Found, b: Found) => b.at - a.at || (a.key < b.key ? 1 : -1)
  for await (const { last_at, block } of newestBlocks(await archive.all(), wanted)) {
    bound = last_at
    // Nothing in this block or after it can come before those.
    const end = page.at(-1)
    if (end !== undefined && isFull(page, found, search.limit) && end.at > bound) break
    // Only once the next page will begin further down.
    if (budget.isSpent() && bound < to) {
      complete = false
      break
    }
    const fresh = block ? await foundIn(block, search, words, to, after) : []
    if (fresh.length === 0) continue
    const all = [...found, ...fresh].toSorted(newestFirst)
    page = pageOf(all, search.limit)
    // What comes after the page is of the next, however much it is; that there is more, one says.
    found = all.slice(0, page.length + 1)
  }
  // What is older than what was not looked at may not be next.
  const sure = complete ? found : found.filter(({ at }) => at > bound)
  const rows = pageOf(sure, search.limit)
  const last = rows.at(-1)
  const full = last !== undefined && isFull(rows, sure, search.limit)
  const next = full ? cursorOf(last.at, last.key) : complete ? null : cursorOf(bound, '\uffff')
  return { rows: rows.map(({ log }) => view(log)), meta: { next_cursor: next, complete: complete || full } }
}

/** As many as are asked for, unless they are large; one at least. */
function pageOf(found: Found[], limit: number): Found[] {
  let text = 0
  const end = found.findIndex(({ length }, index) => {
    text += length
    return index > 0 && text > mostText
  })
  return found.slice(0, end < 0 ? limit : Math.min(limit, end))
}

const isFull = (page: Found[], of: Found[], limit: number): boolean => page.length === limit || page.length < of.length

/** Times in ms are no finer than a quarter of a microsecond: beyond that, keys begin with the nanoseconds. */
const nanoDigits = 20

/** When a record was, and its key among those of that moment. */
type Place = [at: number, key: string]

const isAfter = (at: number, key: string, [lastAt, lastKey]: Place): boolean =>
  at < lastAt || (at === lastAt && key < lastKey)

async function foundIn(
  block: FoundBlock,
  search: LogSearch,
  words: string[],
  to: number,
  after: Place | undefined,
): Promise<Found[]> {
  const { db, day } = block.open
  const { app_id, service, from } = search
  const known = (JSON.parse(block.services) as ServiceCount[]).some(([name]) => name === service)
  if (service !== undefined && !known) return []
  const row = await db.one(telemetryDay(day).contents, { app_id, ids: [block.id] })
  if (row === undefined) return []
  const head = readLogHead(row.head)
  const ofService = service === undefined ? -1 : head.services.indexOf(service)
  const places: number[] = []
  for (let at = 0; at < head.items; at++) {
    const time = head.times[at] as number
    if (time < from || time > to || (head.severity[at] as number) < search.severity) continue
    if (ofService >= 0 && head.service[at] !== ofService) continue
    places.push(at)
  }
  if (places.length === 0) return []
  const lines = new LogLines(row.body)
  const found: Found[] = []
  const ofSender = new Map(lines.origins.map(origin => [origin, JSON.stringify(origin).length]))
  const nameOf = namesOf(block.id, head)
  // The newest first: of a block no more can be shown than a page has.
  places.sort((a, b) => (head.times[b] as number) - (head.times[a] as number))
  for (const at of places) {
    const time = head.times[at] as number
    const log = lines.record(at)
    const key = `${log.time.padStart(nanoDigits, '0')} ${nameOf(at)}`
    // Of the moment of the cursor some were shown already: those are none that a page may end with.
    if (after !== undefined && !isAfter(time, key, after)) continue
    if (!matches(log, search, words)) continue
    found.push({
      at: time,
      key,
      log,
      length: lines.text(at).length + (ofSender.get(log.origin) as number),
    })
    // Those of one moment must all be there, to be told apart by their keys.
    const enough = found[search.limit + 1]
    if (enough !== undefined && enough.at < (found[search.limit] as Found).at) break
  }
  return found
}

function matches({ body, attributes, origin, traceId }: LogRecord, search: LogSearch, words: string[]): boolean {
  if (search.traceId !== undefined && traceId !== search.traceId) return false
  const { attributes: resource } = origin.resource
  const has = search.attributes.every(([key, value]) => holds(attributes, key, value) || holds(resource, key, value))
  if (!has || words.length === 0) return has
  return hasWords(wordOf(body), words)
}

const severityNames = ['UNSPECIFIED', 'TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']

function view(log: LogRecord): LogEntry {
  const { time, observed, severity, severityText, body, eventName, origin, attributes, dropped, traceId, spanId } = log
  return {
    timestamp: isoOf(time),
    time_unix_nano: time,
    observed_time_unix_nano: observed,
    severity: severityText || (severityNames[Math.ceil(severity / 4)] ?? 'UNSPECIFIED'),
    severity_number: severity,
    body,
    event_name: eventName,
    service: origin.resource.service,
    attributes: objectOfAttributes(attributes),
    dropped_attributes_count: dropped,
    ...senderView(origin),
    trace_id: traceId === '' ? null : traceId,
    span_id: spanId === '' ? null : spanId,
    flags: log.flags,
  }
}
