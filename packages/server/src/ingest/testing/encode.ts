/** An export request as protobuf, of what it is as JSON: all fields of opentelemetry-proto 1.11 that are kept, by its numbers. */

type Scalar = 'text' | 'hex' | 'base64' | 'bool' | 'int' | 'sint' | 'fixed32' | 'fixed64' | 'double'
type Packed = 'packed fixed64' | 'packed varint' | 'packed double'
interface Message {
  [name: string]: [number, Scalar | Packed | Message]
}

const any: Message = {}
const attribute: Message = { key: [1, 'text'], value: [2, any] }
Object.assign(any, {
  stringValue: [1, 'text'],
  boolValue: [2, 'bool'],
  intValue: [3, 'int'],
  doubleValue: [4, 'double'],
  arrayValue: [5, { values: [1, any] }],
  kvlistValue: [6, { values: [1, attribute] }],
  bytesValue: [7, 'base64'],
})
const resource: Message = { attributes: [1, attribute], droppedAttributesCount: [2, 'int'] }
const scope: Message = {
  name: [1, 'text'],
  version: [2, 'text'],
  attributes: [3, attribute],
  droppedAttributesCount: [4, 'int'],
}
const span: Message = {
  traceId: [1, 'hex'],
  spanId: [2, 'hex'],
  traceState: [3, 'text'],
  parentSpanId: [4, 'hex'],
  name: [5, 'text'],
  kind: [6, 'int'],
  startTimeUnixNano: [7, 'fixed64'],
  endTimeUnixNano: [8, 'fixed64'],
  attributes: [9, attribute],
  droppedAttributesCount: [10, 'int'],
  events: [
    11,
    {
      timeUnixNano: [1, 'fixed64'],
      name: [2, 'text'],
      attributes: [3, attribute],
      droppedAttributesCount: [4, 'int'],
    },
  ],
  droppedEventsCount: [12, 'int'],
  links: [
    13,
    {
      traceId: [1, 'hex'],
      spanId: [2, 'hex'],
      traceState: [3, 'text'],
      attributes: [4, attribute],
      droppedAttributesCount: [5, 'int'],
      flags: [6, 'fixed32'],
    },
  ],
  droppedLinksCount: [14, 'int'],
  status: [15, { message: [2, 'text'], code: [3, 'int'] }],
  flags: [16, 'fixed32'],
}
const record: Message = {
  timeUnixNano: [1, 'fixed64'],
  severityNumber: [2, 'int'],
  severityText: [3, 'text'],
  body: [5, any],
  attributes: [6, attribute],
  droppedAttributesCount: [7, 'int'],
  flags: [8, 'fixed32'],
  traceId: [9, 'hex'],
  spanId: [10, 'hex'],
  observedTimeUnixNano: [11, 'fixed64'],
  eventName: [12, 'text'],
}
const exemplar: Message = {
  timeUnixNano: [2, 'fixed64'],
  asDouble: [3, 'double'],
  spanId: [4, 'hex'],
  traceId: [5, 'hex'],
  asInt: [6, 'fixed64'],
  filteredAttributes: [7, attribute],
}
const times: Message = { startTimeUnixNano: [2, 'fixed64'], timeUnixNano: [3, 'fixed64'] }
const point: Message = {
  ...times,
  attributes: [7, attribute],
  asDouble: [4, 'double'],
  asInt: [6, 'fixed64'],
  exemplars: [5, exemplar],
  flags: [8, 'int'],
}
const buckets: Message = { offset: [1, 'sint'], bucketCounts: [2, 'packed varint'] }
const histogram: Message = {
  ...times,
  attributes: [9, attribute],
  count: [4, 'fixed64'],
  sum: [5, 'double'],
  bucketCounts: [6, 'packed fixed64'],
  explicitBounds: [7, 'packed double'],
  exemplars: [8, exemplar],
  flags: [10, 'int'],
  min: [11, 'double'],
  max: [12, 'double'],
}
const exponential: Message = {
  ...times,
  attributes: [1, attribute],
  count: [4, 'fixed64'],
  sum: [5, 'double'],
  scale: [6, 'sint'],
  zeroCount: [7, 'fixed64'],
  positive: [8, buckets],
  negative: [9, buckets],
  flags: [10, 'int'],
  exemplars: [11, exemplar],
  min: [12, 'double'],
  max: [13, 'double'],
  zeroThreshold: [14, 'double'],
}
const summary: Message = {
  ...times,
  attributes: [7, attribute],
  count: [4, 'fixed64'],
  sum: [5, 'double'],
  quantileValues: [6, { quantile: [1, 'double'], value: [2, 'double'] }],
  flags: [8, 'int'],
}
const temporality: Message = { aggregationTemporality: [2, 'int'] }
const metric: Message = {
  name: [1, 'text'],
  description: [2, 'text'],
  unit: [3, 'text'],
  gauge: [5, { dataPoints: [1, point] }],
  sum: [7, { dataPoints: [1, point], ...temporality, isMonotonic: [3, 'bool'] }],
  histogram: [9, { dataPoints: [1, histogram], ...temporality }],
  exponentialHistogram: [10, { dataPoints: [1, exponential], ...temporality }],
  summary: [11, { dataPoints: [1, summary] }],
}
const request = (resources: string, scopes: string, items: string, item: Message): Message => ({
  [resources]: [
    1,
    {
      resource: [1, resource],
      [scopes]: [2, { scope: [1, scope], [items]: [2, item], schemaUrl: [3, 'text'] }],
      schemaUrl: [3, 'text'],
    },
  ],
})
const requests = {
  traces: request('resourceSpans', 'scopeSpans', 'spans', span),
  logs: request('resourceLogs', 'scopeLogs', 'logRecords', record),
  metrics: request('resourceMetrics', 'scopeMetrics', 'metrics', metric),
}

export const encode = (signal: keyof typeof requests, body: object): Buffer =>
  Buffer.from(message(requests[signal], body as Record<string, unknown>))

function message(fields: Message, value: Record<string, unknown>): number[] {
  return Object.entries(value).flatMap(([name, given]) => {
    const field = fields[name]
    if (field === undefined || given === undefined || given === null) return []
    const [number, type] = field
    if (typeof type === 'string' && type.startsWith('packed ')) {
      const each = (given as unknown[]).flatMap(one => scalar(type.slice(7) as Scalar, one))
      return [...varint((number << 3) | 2), ...varint(each.length), ...each]
    }
    return (Array.isArray(given) ? given : [given]).flatMap(one => {
      if (typeof type === 'string')
        return [...varint((number << 3) | wireOf(type as Scalar)), ...scalar(type as Scalar, one)]
      const bytes = message(type, one)
      return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes]
    })
  })
}

function wireOf(type: Scalar): number {
  if (type === 'text' || type === 'hex' || type === 'base64') return 2
  return type === 'fixed64' || type === 'double' ? 1 : type === 'fixed32' ? 5 : 0
}

function scalar(type: Scalar | 'varint', value: unknown): number[] {
  const bytes = Buffer.alloc(8)
  switch (type) {
    case 'text':
    case 'hex':
    case 'base64': {
      const content = Buffer.from(value as string, type === 'text' ? 'utf8' : type)
      return [...varint(content.length), ...content]
    }
    case 'bool':
      return [Number(value)]
    case 'sint':
      return varint((Number(value) << 1) ^ (Number(value) >> 31))
    case 'fixed32':
      bytes.writeUInt32LE(value as number)
      return [...bytes.subarray(0, 4)]
    case 'fixed64':
      bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value as string)))
      return [...bytes]
    case 'double':
      bytes.writeDoubleLE(Number(value))
      return [...bytes]
    default:
      return varint(value as number)
  }
}

function varint(value: number | string): number[] {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return [...bytes, Number(rest)]
}
