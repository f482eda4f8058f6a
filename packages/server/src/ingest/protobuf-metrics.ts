import { KnownAttributes } from './known-attributes.ts'
import type { Reader } from './protobuf.ts'
import { eachMessage, readAttribute } from './protobuf-common.ts'
import {
  type Attributes,
  type Batch,
  type Buckets,
  type Distribution,
  type Exemplar,
  type Metric,
  type MetricType,
  type Origin,
  type Point,
  writable,
} from './rows.ts'

const kinds: Record<number, MetricType> = {
  5: 'gauge',
  7: 'sum',
  9: 'histogram',
  10: 'exponential_histogram',
  11: 'summary',
}

/** Data points of an export request that was sent as protobuf. */
export function readProtobufMetrics(reader: Reader): Batch<Point> {
  const items: Point[] = []
  let nameless = 0
  eachMessage(reader, (_, origin) => {
    const points = readMetric(reader, origin)
    if (points[0]?.metric.name === '') nameless += points.length
    else for (const point of points) items.push(point)
  })
  return { items, rejected: nameless, reason: nameless === 0 ? '' : 'A metric needs a name' }
}

function readMetric(reader: Reader, origin: Origin): Point[] {
  const points: Point[] = []
  const metric: Metric = {
    origin,
    name: '',
    description: '',
    unit: '',
    type: 'gauge',
    temporality: 0,
    monotonic: false,
  }
  while (reader.next()) {
    const kind = kinds[reader.field]
    if (kind !== undefined) {
      if (!reader.is(2)) continue
      // It is of one kind: the last that it says.
      if (metric.type !== kind) points.length = 0
      metric.type = kind
      reader.message(() => readData(reader, metric, points))
    } else if (reader.field === 1 && reader.is(2)) metric.name = reader.text()
    else if (reader.field === 2 && reader.is(2)) metric.description = reader.text()
    else if (reader.field === 3 && reader.is(2)) metric.unit = reader.text()
    else if (reader.field > 3) reader.skip()
  }
  return points
}

function readData(reader: Reader, metric: Metric, points: Point[]): void {
  while (reader.next()) {
    if (reader.field === 1 && reader.is(2)) reader.item(() => points.push(readPoint(reader, metric)))
    else if (reader.field === 2 && reader.is(0)) metric.temporality = reader.int32()
    else if (reader.field === 3 && reader.is(0)) metric.monotonic = reader.bool()
    else if (reader.field > 3) reader.skip()
  }
}

const noEdges = () => ({ count: 0, sum: null, min: null, max: null })

/** What a field says that is not there. */
const nothingSaid: Record<MetricType, () => Distribution | null> = {
  gauge: () => null,
  sum: () => null,
  histogram: () => ({ ...noEdges(), bounds: [], counts: [] }),
  exponential_histogram: () => ({
    ...noEdges(),
    scale: 0,
    zeroCount: 0,
    zeroThreshold: 0,
    positive: { offset: 0, counts: [] },
    negative: { offset: 0, counts: [] },
  }),
  summary: () => ({ count: 0, sum: null, quantiles: [] }),
}

function readPoint(reader: Reader, metric: Metric): Point {
  const point: Point = {
    metric,
    attributes: [],
    start: '0',
    time: '0',
    flags: 0,
    value: null,
    distribution: null,
    exemplars: [],
  }
  const read = pointReaders[metric.type]
  point.distribution = nothingSaid[metric.type]()
  while (reader.next()) {
    if (reader.field === 2 && reader.is(1)) point.start = reader.time(0)
    else if (reader.field === 3 && reader.is(1)) point.time = reader.time(1)
    else if (reader.field !== 2 && reader.field !== 3) read(reader, point)
  }
  return point
}

/** By the number of the field, since what follows the first is told by it. */
const knownBy = new Map<number, KnownAttributes>()

function knownOf(field: number): KnownAttributes {
  let known = knownBy.get(field)
  if (known === undefined) {
    known = new KnownAttributes()
    knownBy.set(field, known)
  }
  return known
}

/** Attributes of a point, which mostly are those of one before. */
function readAttributes(reader: Reader, point: Point): void {
  const { bytes, at: from } = reader
  // They may stand in more than one place.
  if (point.attributes.length > 0) {
    point.attributes = [...point.attributes]
    readAttribute(reader, point.attributes)
    return
  }
  const known = knownOf(reader.field)
  const guess = known.guess(reader.view, from)
  if (guess !== undefined && from + guess.written.length <= reader.to) {
    reader.at += guess.written.length
    point.attributes = guess.attributes
    return
  }
  reader.skipAll()
  const to = reader.at
  point.attributes = known.find(bytes, from, to, () => {
    const attributes: Attributes = []
    reader.at = from
    readAttribute(reader, attributes)
    while (reader.at < to) {
      reader.next()
      readAttribute(reader, attributes)
    }
    return attributes
  })
}

type ReadField = (reader: Reader, point: Point) => void

const double = (reader: Reader): number | null => {
  const value = reader.double()
  return Number.isFinite(value) ? value : null
}
const count = (reader: Reader): number => reader.fixed64Number()

function numberField(reader: Reader, point: Point): void {
  if (reader.field === 4 && reader.is(1)) point.value = writable(reader.double())
  else if (reader.field === 6 && reader.is(1)) point.value = reader.sfixed64()
  else if (reader.field === 7 && reader.is(2)) readAttributes(reader, point)
  else if (reader.field === 5 && reader.is(2)) point.exemplars.push(readExemplar(reader))
  else if (reader.field === 8 && reader.is(0)) point.flags = reader.uint32()
  else if (![4, 5, 6, 7, 8].includes(reader.field)) reader.skip()
}

function histogramField(reader: Reader, point: Point): void {
  const data = point.distribution as Distribution
  switch (reader.field) {
    case 4:
      if (reader.is(1)) data.count = count(reader)
      return
    case 5:
      if (reader.is(1)) data.sum = double(reader)
      return
    case 6:
      reader.numbers(1, () => count(reader), data.counts as number[])
      return
    case 7:
      reader.numbers(1, () => reader.double(), data.bounds as number[])
      return
    case 8:
      if (reader.is(2)) point.exemplars.push(readExemplar(reader))
      return
    case 9:
      if (reader.is(2)) readAttributes(reader, point)
      return
    case 10:
      if (reader.is(0)) point.flags = reader.uint32()
      return
    case 11:
      if (reader.is(1)) data.min = double(reader)
      return
    case 12:
      if (reader.is(1)) data.max = double(reader)
      return
    default:
      reader.skip()
  }
}

function exponentialField(reader: Reader, point: Point): void {
  const data = point.distribution as Distribution
  switch (reader.field) {
    case 1:
      if (reader.is(2)) readAttributes(reader, point)
      return
    case 4:
      if (reader.is(1)) data.count = count(reader)
      return
    case 5:
      if (reader.is(1)) data.sum = double(reader)
      return
    case 6:
      if (reader.is(0)) data.scale = reader.sint32()
      return
    case 7:
      if (reader.is(1)) data.zeroCount = count(reader)
      return
    case 8:
      if (reader.is(2)) data.positive = readBuckets(reader)
      return
    case 9:
      if (reader.is(2)) data.negative = readBuckets(reader)
      return
    case 10:
      if (reader.is(0)) point.flags = reader.uint32()
      return
    case 11:
      if (reader.is(2)) point.exemplars.push(readExemplar(reader))
      return
    case 12:
      if (reader.is(1)) data.min = double(reader)
      return
    case 13:
      if (reader.is(1)) data.max = double(reader)
      return
    case 14:
      if (reader.is(1)) data.zeroThreshold = double(reader) ?? 0
      return
    default:
      reader.skip()
  }
}

function summaryField(reader: Reader, point: Point): void {
  const data = point.distribution as Distribution
  switch (reader.field) {
    case 4:
      if (reader.is(1)) data.count = count(reader)
      return
    case 5:
      if (reader.is(1)) data.sum = double(reader)
      return
    case 6:
      if (reader.is(2)) data.quantiles?.push(readQuantile(reader))
      return
    case 7:
      if (reader.is(2)) readAttributes(reader, point)
      return
    case 8:
      if (reader.is(0)) point.flags = reader.uint32()
      return
    default:
      reader.skip()
  }
}

const pointReaders: Record<MetricType, ReadField> = {
  gauge: numberField,
  sum: numberField,
  histogram: histogramField,
  exponential_histogram: exponentialField,
  summary: summaryField,
}

function readBuckets(reader: Reader): Buckets {
  const buckets: Buckets = { offset: 0, counts: [] }
  reader.message(() => {
    while (reader.next()) {
      if (reader.field === 1 && reader.is(0)) buckets.offset = reader.sint32()
      else if (reader.field === 2) reader.numbers(0, () => Number(reader.uint64()), buckets.counts)
      else if (reader.field > 2) reader.skip()
    }
  })
  return buckets
}

function readQuantile(reader: Reader): [number, number | null] {
  const pair: [number, number | null] = [0, 0]
  reader.item(() => {
    while (reader.next()) {
      if (reader.field === 1 && reader.is(1)) pair[0] = double(reader) ?? 0
      else if (reader.field === 2 && reader.is(1)) pair[1] = double(reader)
      else if (reader.field > 2) reader.skip()
    }
  })
  return pair
}

function readExemplar(reader: Reader): Exemplar {
  const exemplar: Exemplar = { time: '0', value: null, traceId: '', spanId: '', attributes: [] }
  reader.item(() => {
    while (reader.next()) {
      if (reader.field === 2 && reader.is(1)) exemplar.time = String(reader.fixed64())
      else if (reader.field === 3 && reader.is(1)) exemplar.value = writable(reader.double())
      else if (reader.field === 6 && reader.is(1)) exemplar.value = reader.sfixed64()
      else if (reader.field === 4 && reader.is(2)) exemplar.spanId = reader.hex()
      else if (reader.field === 5 && reader.is(2)) exemplar.traceId = reader.hex()
      else if (reader.field === 7 && reader.is(2)) readAttribute(reader, exemplar.attributes)
      else if (![2, 3, 4, 5, 6, 7].includes(reader.field)) reader.skip()
    }
  })
  return exemplar
}
