import {
  attributesOf,
  doubleOf,
  eachItem,
  flagOf,
  idOf,
  integerOf,
  type Json,
  listOf,
  longOf,
  messageOf,
  objectOf,
  textOf,
  unsignedOf,
} from './json.ts'
import {
  type Batch,
  type Buckets,
  type Distribution,
  type Exemplar,
  exact,
  type Metric,
  type MetricType,
  type Point,
  UnreadableError,
  writable,
} from './rows.ts'

const names = { resources: 'resourceMetrics', scopes: 'scopeMetrics', items: 'metrics' }

/** Each kind by its field; a metric has one of them. */
const kinds: Record<string, MetricType> = {
  gauge: 'gauge',
  sum: 'sum',
  histogram: 'histogram',
  exponentialHistogram: 'exponential_histogram',
  summary: 'summary',
}

/** A point of a gauge or a sum, before it is known of which. */
export type PlainPoint = Pick<Point, 'attributes' | 'start' | 'time' | 'flags' | 'value'>

/**
 * Data points of an export request that was sent as JSON.
 * @param plain points that were read before; the number of their list stands in the body instead of them
 */
export function readMetrics(body: Json, plain: readonly PlainPoint[][] = []): Batch<Point> {
  const points: Point[] = []
  let nameless = 0
  eachItem(body, names, (item, origin) => {
    for (const [field, type] of Object.entries(kinds)) {
      if (item[field] === undefined || item[field] === null) continue
      const data = objectOf(item[field], field)
      const metric: Metric = {
        origin,
        name: textOf(item.name, 'name'),
        description: textOf(item.description, 'description'),
        unit: textOf(item.unit, 'unit'),
        type,
        temporality: integerOf(data.aggregationTemporality, 'aggregationTemporality'),
        monotonic: flagOf(data.isMonotonic, 'isMonotonic'),
      }
      const known = typeof data.dataPoints === 'number' ? plain[data.dataPoints] : undefined
      for (const each of known ?? listOf(data.dataPoints, 'dataPoints')) {
        const point = known ? plainPoint(each as PlainPoint, metric) : pointOf(objectOf(each, 'a data point'), metric)
        if (metric.name === '') nameless++
        else points.push(point)
      }
    }
  })
  return { items: points, rejected: nameless, reason: nameless === 0 ? '' : 'A metric needs a name' }
}

const noExemplars: Exemplar[] = []

function plainPoint({ attributes, start, time, flags, value }: PlainPoint, metric: Metric): Point {
  if (metric.type !== 'gauge' && metric.type !== 'sum') throw new UnreadableError('Points of another kind')
  return { metric, attributes, start, time, flags, value, distribution: null, exemplars: noExemplars }
}

function pointOf(item: Json, metric: Metric): Point {
  const plain = metric.type === 'gauge' || metric.type === 'sum'
  const exemplars = listOf(item.exemplars, 'exemplars')
  return {
    metric,
    attributes: attributesOf(item.attributes),
    start: unsignedOf(item.startTimeUnixNano, 'startTimeUnixNano'),
    time: unsignedOf(item.timeUnixNano, 'timeUnixNano'),
    flags: integerOf(item.flags, 'flags'),
    value: plain ? numberOf(item) : null,
    distribution: plain ? null : distributionOf(item, metric.type),
    exemplars: exemplars.map(exemplarOf),
  }
}

function numberOf(item: Json): number | string | null {
  if (item.asInt !== undefined && item.asInt !== null) return exact(longOf(item.asInt, 'asInt'))
  const value = doubleOf(item.asDouble, 'asDouble')
  return value === null ? null : writable(value)
}

/** One that can be written down as a number. */
function finite(value: unknown, what: string): number | null {
  const number = doubleOf(value, what)
  return number !== null && Number.isFinite(number) ? number : null
}

function distributionOf(item: Json, type: MetricType): Distribution {
  const common = { count: countOf(item.count), sum: finite(item.sum, 'sum') }
  if (type === 'summary') {
    const quantiles = listOf(item.quantileValues, 'quantileValues').map((each): [number, number | null] => {
      const { quantile, value } = objectOf(each, 'a quantile')
      return [finite(quantile, 'quantile') ?? 0, value === undefined ? 0 : finite(value, 'value')]
    })
    return { ...common, quantiles }
  }
  const edges = { min: finite(item.min, 'min'), max: finite(item.max, 'max') }
  if (type === 'histogram') {
    const bounds = listOf(item.explicitBounds, 'explicitBounds').map(each => doubleOf(each, 'a bound') ?? 0)
    return { ...common, ...edges, bounds, counts: listOf(item.bucketCounts, 'bucketCounts').map(countOf) }
  }
  return {
    ...common,
    ...edges,
    scale: integerOf(item.scale, 'scale'),
    zeroCount: countOf(item.zeroCount),
    zeroThreshold: finite(item.zeroThreshold, 'zeroThreshold') ?? 0,
    positive: bucketsOf(item.positive),
    negative: bucketsOf(item.negative),
  }
}

function bucketsOf(value: unknown): Buckets {
  const { offset, bucketCounts } = messageOf(value, 'buckets')
  return { offset: integerOf(offset, 'offset'), counts: listOf(bucketCounts, 'bucketCounts').map(countOf) }
}

const countOf = (value: unknown): number => Number(unsignedOf(value, 'a count'))

function exemplarOf(value: unknown): Exemplar {
  const item = objectOf(value, 'an exemplar')
  return {
    time: unsignedOf(item.timeUnixNano, 'timeUnixNano'),
    value: numberOf(item),
    traceId: idOf(item.traceId, 'traceId'),
    spanId: idOf(item.spanId, 'spanId'),
    attributes: attributesOf(item.filteredAttributes),
  }
}
