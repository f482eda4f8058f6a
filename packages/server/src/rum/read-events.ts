import { isUtf8 } from 'node:buffer'
import { ApiError, type FieldErrors, type RumType, rumTypes } from '@watchpost/contract'
import { clockAhead, eventTime } from '../domain/event-time.ts'
import { fingerprint } from '../domain/fingerprint.ts'
import { clip, scrubText, scrubUrl, scrubValue } from '../domain/scrub.ts'
import { vitalLimits } from '../domain/vitals.ts'
import { refuseDepth } from '../http/json.ts'
import { numberOf, type RumItem } from './item.ts'

/** Bytes of an event at most (ruling 3), and events of a request. */
export const largestEvent = 65_536
const mostEvents = 5000

/** What a request holds. */
export interface RumBatch {
  items: RumItem[]
  /** Events that are none, and why, by position and field. */
  rejected: number
  errors: FieldErrors
}

type Sent = Record<string, unknown>

/**
 * Reads the events of a request: one, or an array, of which the good ones are kept.
 * @throws {ApiError} where none is good
 */
export function readEvents(body: Buffer, sentAt: number | undefined, received: number): RumBatch {
  const { events, single } = parse(body)
  const batch: RumBatch = { items: [], rejected: 0, errors: {} }
  const ahead = clockAhead(sentAt, newestOf(events), received)
  let tooLarge = 0
  for (const [position, event] of events.entries()) {
    const faults = new Faults()
    if (body.length > largestEvent && Buffer.byteLength(JSON.stringify(event)) > largestEvent) {
      tooLarge++
      faults.add('event', `is larger than ${largestEvent} bytes`)
    }
    const item = faults.any ? undefined : readEvent(event as Sent, position, ahead, received, faults)
    if (item !== undefined && !faults.any) {
      batch.items.push(item)
      continue
    }
    batch.rejected++
    for (const [field, message] of faults.all) batch.errors[single ? field : `${position}.${field}`] = message
  }
  if (batch.items.length > 0) return batch
  if (tooLarge > 0) throw new ApiError('payload_too_large', `An event is larger than ${largestEvent} bytes`)
  if (single && !('type' in (events[0] as Sent)) && !('url' in (events[0] as Sent))) {
    throw new ApiError('bad_request', 'The body holds none of the required fields: type, url')
  }
  throw new ApiError('validation_failed', 'Validation failed', { errors: batch.errors })
}

function parse(body: Buffer): { events: unknown[]; single: boolean } {
  if (body.length === 0) throw new ApiError('bad_request', 'A JSON body is required')
  refuseDepth(body)
  if (!isUtf8(body)) throw new ApiError('invalid_json', 'Invalid JSON input')
  let sent: unknown
  try {
    sent = JSON.parse(body.toString('utf8'))
  } catch {
    throw new ApiError('invalid_json', 'Invalid JSON input')
  }
  if (Array.isArray(sent)) {
    if (sent.length === 0) throw new ApiError('bad_request', 'The body holds no event')
    if (sent.length > mostEvents) throw new ApiError('bad_request', `The body holds more than ${mostEvents} events`)
    return { events: sent, single: false }
  }
  if (!isObject(sent)) throw new ApiError('bad_request', 'The body must be an event or an array of events')
  return { events: [sent], single: true }
}

const isObject = (value: unknown): value is Sent => typeof value === 'object' && value !== null && !Array.isArray(value)

class Faults {
  readonly all: [string, string][] = []
  get any(): boolean {
    return this.all.length > 0
  }
  add(field: string, message: string): void {
    this.all.push([field, message])
  }
}

/** Longest of each text; what is beyond is cut off. */
const textFields = { message: 2000, stack: 8000, target: 500, level: 20, navigation_type: 50, trace_id: 32, app: 200 }
const urlFields = ['source', 'request_url', 'referrer'] as const
const numberFields = ['line', 'column', 'status'] as const
const words = `must be one of ${rumTypes.join(', ')}`

function readEvent(event: Sent, position: number, ahead: number, received: number, faults: Faults) {
  if (!isObject(event)) return faults.add('event', 'must be an object')
  const type = Object.hasOwn(numberOf, String(event.type)) ? numberOf[event.type as RumType] : undefined
  if (event.type === undefined) faults.add('type', 'is required')
  else if (typeof event.type !== 'string' || type === undefined) faults.add('type', words)
  const page = pageOf(event.url, faults)
  const id = key(event, 'id', faults)
  const session_id = key(event, 'session_id', faults)
  if (event.type === 'session_start' && session_id === null) faults.add('session_id', 'is required')

  const data: Sent = {}
  for (const [field, most] of Object.entries(textFields)) {
    const text = textOf(event, field, most, faults)
    if (text !== undefined) data[field] = scrubText(text)
  }
  for (const field of urlFields) {
    const text = textOf(event, field, 8192, faults)
    if (text !== undefined) data[field] = scrubUrl(text)
  }
  for (const field of numberFields) {
    const value = numberIn(event, field, faults)
    if (value !== undefined) data[field] = value
  }
  const name = scrubText(textOf(event, 'name', 200, faults) ?? '')
  const value = measured(event, type, name, faults)
  if (event.type === 'error' && !data.message && name === '') faults.add('message', 'is required')
  if (event.data !== undefined && event.data !== null) {
    if (isObject(event.data)) data.data = scrubValue(event.data)
    else faults.add('data', 'must be an object')
  }
  const time = timeOf(event.timestamp, faults)
  if (faults.any || type === undefined) return undefined
  const isError = type === numberOf.error
  if (isError && name !== '') data.name = name
  const kept = isError ? fingerprint(name, `${data.message ?? ''}`, `${data.stack ?? ''}`) : name
  const referrer = (data.referrer as string | undefined) ?? null
  const at = eventTime(time, ahead, received)
  return { position, type, id, session_id, at, page, name: kept, value, referrer, data: JSON.stringify(data) }
}

/** Pages come again and again. */
const pages = new Map<string, string | null>()

function pageOf(url: unknown, faults: Faults): string {
  if (typeof url !== 'string') {
    faults.add('url', url === undefined ? 'is required' : 'must be a string')
    return ''
  }
  let page = pages.get(url)
  if (page === undefined) {
    const whole = clip(url, 8192)
    page = url.length <= 8192 && (URL.canParse(whole) || whole.startsWith('/')) ? scrubUrl(whole) : null
    if (pages.size > 5000) pages.clear()
    if (url.length < 500) pages.set(url, page)
  }
  if (page === null) faults.add('url', 'must be a URL of at most 8192 characters')
  return page ?? ''
}

/** What names a thing must be whole. */
function key(event: Sent, field: string, faults: Faults): string | null {
  const value = event[field]
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && value.length > 0 && value.length <= 100) return clip(value, 100)
  faults.add(field, 'must be a string of 1 to 100 characters')
  return null
}

function textOf(event: Sent, field: string, most: number, faults: Faults): string | undefined {
  const value = event[field]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return clip(value, most)
  faults.add(field, 'must be a string')
  return undefined
}

const largestNumber = 1e12

function numberIn(event: Sent, field: string, faults: Faults): number | undefined {
  const value = event[field]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value >= 0 && value <= largestNumber) return value
  faults.add(field, 'must be a number of 0 or more')
  return undefined
}

/** A vital's value, or how long something took; of times a tenth of a millisecond is exact enough. */
function measured(event: Sent, type: number | undefined, name: string, faults: Faults): number | null {
  const value = numberIn(event, 'value', faults)
  const duration = numberIn(event, 'duration_ms', faults)
  const tenths = (ms: number) => Math.round(ms * 10) / 10
  if (type !== numberOf.web_vital) return duration === undefined ? (value ?? null) : tenths(duration)
  if (!Object.hasOwn(vitalLimits, name)) faults.add('name', `must be one of ${Object.keys(vitalLimits).join(', ')}`)
  if (value === undefined) {
    if (event.value === undefined || event.value === null) faults.add('value', 'is required')
    return null
  }
  return name === 'CLS' ? Math.round(value * 10_000) / 10_000 : tenths(value)
}

/** Epoch ms, or ISO 8601. */
function timeOf(timestamp: unknown, faults: Faults): number | undefined {
  if (timestamp === undefined || timestamp === null) return undefined
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp
  if (typeof at === 'number' && Number.isFinite(at) && Math.abs(at) <= 8.64e15) return at
  faults.add('timestamp', 'must be epoch milliseconds or a time such as 2026-11-21T09:30:00.000Z')
  return undefined
}

function newestOf(events: unknown[]): number | undefined {
  const silent = new Faults()
  let newest: number | undefined
  for (const event of events) {
    const at = isObject(event) ? timeOf(event.timestamp, silent) : undefined
    if (at !== undefined && (newest === undefined || at > newest)) newest = at
  }
  return newest
}
