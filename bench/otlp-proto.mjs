// An export request as protobuf, of what it would be as JSON.

const any = {}
const attribute = { key: [1, 'text'], value: [2, any] }
Object.assign(any, {
  stringValue: [1, 'text'],
  boolValue: [2, 'varint'],
  intValue: [3, 'varint'],
  doubleValue: [4, 'double'],
})
const resource = { attributes: [1, attribute] }
const scope = { name: [1, 'text'], version: [2, 'text'] }
const status = { message: [2, 'text'], code: [3, 'varint'] }
const span = {
  traceId: [1, 'hex'],
  spanId: [2, 'hex'],
  parentSpanId: [4, 'hex'],
  name: [5, 'text'],
  kind: [6, 'varint'],
  startTimeUnixNano: [7, 'fixed'],
  endTimeUnixNano: [8, 'fixed'],
  attributes: [9, attribute],
  status: [15, status],
}
const record = {
  timeUnixNano: [1, 'fixed'],
  severityNumber: [2, 'varint'],
  severityText: [3, 'text'],
  body: [5, any],
  attributes: [6, attribute],
}
const point = {
  attributes: [7, attribute],
  startTimeUnixNano: [2, 'fixed'],
  timeUnixNano: [3, 'fixed'],
  asDouble: [4, 'double'],
  asInt: [6, 'fixed'],
}
const gauge = { dataPoints: [1, point] }
const sum = { ...gauge, aggregationTemporality: [2, 'varint'], isMonotonic: [3, 'varint'] }
const metric = { name: [1, 'text'], unit: [3, 'text'], gauge: [5, gauge], sum: [7, sum] }
const request = (resources, scopes, items, item) => ({
  [resources]: [1, { resource: [1, resource], [scopes]: [2, { scope: [1, scope], [items]: [2, item] }] }],
})
const requests = {
  traces: request('resourceSpans', 'scopeSpans', 'spans', span),
  logs: request('resourceLogs', 'scopeLogs', 'logRecords', record),
  metrics: request('resourceMetrics', 'scopeMetrics', 'metrics', metric),
}

/** What is written is at most as large as the JSON. */
const bytes = Buffer.alloc(1_048_576)
let at = 0

export function encode(kind, message) {
  at = 0
  write(requests[kind], message)
  return Buffer.from(bytes.subarray(0, at))
}

function write(fields, message) {
  for (const [name, value] of Object.entries(message)) {
    const [number, type] = fields[name] ?? []
    if (number === undefined) continue
    for (const each of Array.isArray(value) ? value : [value]) field(number, type, each)
  }
}

function field(number, type, value) {
  if (type === 'varint') {
    varint(number << 3)
    varint(Number(value))
  } else if (type === 'fixed') {
    varint((number << 3) | 1)
    at = bytes.writeBigUInt64LE(BigInt(value), at)
  } else if (type === 'double') {
    varint((number << 3) | 1)
    at = bytes.writeDoubleLE(value, at)
  } else {
    varint((number << 3) | 2)
    // Of a length that is known afterwards there is room for three bytes.
    const from = at + 3
    at = from
    if (type === 'text' || type === 'hex') at += bytes.write(value, at, type === 'text' ? 'utf8' : 'hex')
    else write(type, value)
    const length = at - from
    at = from - 3
    varint(length)
    bytes.copyWithin(at, from, from + length)
    at += length
  }
}

function varint(value) {
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes[at++] = (rest & 127) | 128
  bytes[at++] = rest
}
