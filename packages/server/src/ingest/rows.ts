/** What telemetry becomes, whatever it was sent as: one shape for JSON and protobuf. */

/**
 * The value of an attribute. Integers beyond what a number holds exactly are decimal text, bytes are base64, and a number
 * that JSON has no word for is `NaN`, `Infinity` or `-Infinity`.
 */
export type AttributeValue = string | number | boolean | null | AttributeValue[] | { [key: string]: AttributeValue }

/** Key, value, key, value: cheaper to make, and to write down, than an object. */
export type Attributes = AttributeValue[]

/** Who sent it: a service, and what is said of it. */
export interface Resource {
  /** `service.name`, or `unknown_service`. */
  service: string
  attributes: Attributes
  schemaUrl: string
  dropped: number
}

/** The library that made it. */
export interface Scope {
  name: string
  version: string
  attributes: Attributes
  schemaUrl: string
  dropped: number
}

/** Whose an item is; the same object for all that came together. */
export interface Origin {
  resource: Resource
  scope: Scope
}

export interface SpanEvent {
  /** Decimal nanoseconds since 1970. */
  time: string
  name: string
  attributes: Attributes
  dropped: number
}

export interface SpanLink {
  traceId: string
  spanId: string
  traceState: string
  attributes: Attributes
  dropped: number
  flags: number
}

export interface Span {
  origin: Origin
  /** 32 and 16 hex digits, lower case. */
  traceId: string
  spanId: string
  /** Empty at the root of a trace. */
  parentSpanId: string
  traceState: string
  flags: number
  name: string
  kind: number
  /** Decimal nanoseconds since 1970. */
  start: string
  end: string
  /** 0 unset, 1 ok, 2 error. */
  status: number
  statusMessage: string
  attributes: Attributes
  events: SpanEvent[]
  links: SpanLink[]
  /** Attributes, events and links that the sender left out. */
  dropped: [number, number, number]
}

export interface LogRecord {
  origin: Origin
  /** Decimal nanoseconds since 1970: when it happened, or was seen where that is unknown. */
  time: string
  observed: string
  severity: number
  severityText: string
  body: AttributeValue
  attributes: Attributes
  dropped: number
  flags: number
  traceId: string
  spanId: string
  eventName: string
}

export const metricTypes = ['gauge', 'sum', 'histogram', 'exponential_histogram', 'summary'] as const
export type MetricType = (typeof metricTypes)[number]

export interface Metric {
  origin: Origin
  name: string
  description: string
  unit: string
  type: MetricType
  /** 0 unspecified, 1 delta, 2 cumulative. */
  temporality: number
  monotonic: boolean
}

export interface Exemplar {
  time: string
  value: number | string | null
  traceId: string
  spanId: string
  attributes: Attributes
}

export interface Buckets {
  offset: number
  counts: number[]
}

/** What a point of a kind other than gauge and sum says. */
export interface Distribution {
  count: number
  sum: number | null
  min?: number | null
  max?: number | null
  bounds?: number[]
  counts?: number[]
  scale?: number
  zeroCount?: number
  zeroThreshold?: number
  positive?: Buckets
  negative?: Buckets
  /** Quantile and value. */
  quantiles?: [number, number | null][]
}

export interface Point {
  metric: Metric
  attributes: Attributes
  start: string
  time: string
  flags: number
  /** Of gauge and sum; null where there is none, or none that JSON could say. */
  value: number | string | null
  /** Of the other kinds. */
  distribution: Distribution | null
  exemplars: Exemplar[]
}

/** What was read of a body: what can be kept, and what had to be left out and why. */
export interface Batch<T> {
  items: T[]
  rejected: number
  /** One sentence about the first that was left out; empty where nothing was. */
  reason: string
}

/** A body that cannot be read: 400, and nothing of it is kept. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

/** How deep values may be nested in values. */
export const deepestValue = 64

export const validTraceId = (id: string): boolean => /^[0-9a-f]{32}$/.test(id) && !/^0+$/.test(id)
export const validSpanId = (id: string): boolean => /^[0-9a-f]{16}$/.test(id) && !/^0+$/.test(id)

export const unnamedService = 'unknown_service'

export function serviceOf(attributes: Attributes): string {
  for (let at = 0; at < attributes.length; at += 2) {
    if (attributes[at] !== 'service.name') continue
    const name = attributes[at + 1]
    return typeof name === 'string' && name !== '' ? name.slice(0, 255) : unnamedService
  }
  return unnamedService
}

/** A decimal integer as a number where that is exact, and as it is otherwise. */
export function exact(text: string): number | string {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

/** A double as it can be written down. */
export function writable(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}
