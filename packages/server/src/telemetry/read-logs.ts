import type { LogEntry } from '@watchpost/contract'
import { telemetryDay } from '@watchpost/store'
import type { Archive } from './archive.ts'
import type { Search, Slice } from './ask.ts'
import { kinds, objectOfAttributes, type ServiceCount } from './block.ts'
import { attributeHash, hasWords, wordHash, wordOf, wordsOf } from './bloom.ts'
import { LogLines, namesOf, readLogHead } from './log-block.ts'
import type { StoredLog } from './log-line.ts'
import { traceHash } from './prepared-logs.ts'
import { isoOf } from './read-trace.ts'
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
  log: StoredLog
  /** How long its line is. */
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
  let complete = true
  let bound = Number.POSITIVE_INFINITY
  const newestFirst = (a: Found, b: Found) => b.at - a.at || (a.key < b.key ? 1 : -1)
  for await (const block of newestBlocks(await archive.all(), wanted)) {
    bound = block.last_at
    // Nothing in this block or after it can come before those.
    if (found.length >= search.limit && (found[search.limit - 1] as Found).at > bound) break
    // Only once the next page will begin further down.
    if (budget.isSpent() && bound < to) {
      complete = false
      break
    }
    const more = block.mayHold ? await foundIn(block, search, words, to) : []
    const fresh = after === undefined ? more : more.filter(each => isAfter(each, after))
    if (fresh.length > 0) found = [...found, ...fresh].toSorted(newestFirst).slice(0, search.limit * 2)
  }
  // What is older than what was not looked at may not be next.
  const sure = complete ? found : found.filter(({ at }) => at > bound)
  const rows = pageOf(sure, search.limit)
  const last = rows.at(-1)
  const full = last !== undefined && (rows.length === search.limit || rows.length < sure.length)
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

const isAfter = ({ at, key }: Found, [lastAt, lastKey]: [number, string]): boolean =>
  at < lastAt || (at === lastAt && key < lastKey)

async function foundIn(block: FoundBlock, search: LogSearch, words: string[], to: number): Promise<Found[]> {
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
  const nameOf = namesOf(block.id, head)
  // The newest first: of a block no more can be shown than a page has.
  places.sort((a, b) => (head.times[b] as number) - (head.times[a] as number))
  for (const at of places) {
    const log = lines.read(at)
    if (!matches(log, search, words)) continue
    found.push({
      at: head.times[at] as number,
      key: nameOf(at),
      log,
      length: lines.text(at).length,
    })
    // Those of one moment must all be there, to be told apart by their keys.
    const enough = found[search.limit + 1]
    if (enough !== undefined && enough.at < (found[search.limit] as Found).at) break
  }
  return found
}

function matches({ body, attributes, origin, traceId }: StoredLog, search: LogSearch, words: string[]): boolean {
  if (search.traceId !== undefined && traceId !== search.traceId) return false
  const { attributes: resource } = origin.resource
  const has = search.attributes.every(([key, value]) => holds(attributes, key, value) || holds(resource, key, value))
  if (!has || words.length === 0) return has
  return hasWords(wordOf(body), words)
}

const severityNames = ['UNSPECIFIED', 'TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']

function view(log: StoredLog): LogEntry {
  const { time, severity, severityText, body, origin, attributes, traceId, spanId } = log
  return {
    timestamp: isoOf(time),
    severity: severityText || (severityNames[Math.ceil(severity / 4)] ?? 'UNSPECIFIED'),
    severity_number: severity,
    body,
    service: origin.resource.service,
    attributes: objectOfAttributes(attributes),
    trace_id: traceId === '' ? null : traceId,
    span_id: spanId === '' ? null : spanId,
  }
}
