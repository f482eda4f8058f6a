import type { Attributes, Distribution, Exemplar, Metric, Point } from '../ingest/rows.ts'
import { pack, unpack, wholeMsOf } from './block.ts'
import type { Summary } from './rollup-points.ts'

/** What a series is of: kept once, with its id. */
export interface About {
  name: string
  type: Metric['type']
  unit: string
  description: string
  temporality: number
  monotonic: boolean
  service: string
  attributes: Attributes
  resource: Attributes
  /** The library that made it; earlier ones say nothing of it. */
  scope?: ScopeId
}

/** What tells libraries apart: name, version, attributes. */
export type ScopeId = [string, string, Attributes]

export const scopeIdOf = ({ origin: { scope } }: Metric): ScopeId => [scope.name, scope.version, scope.attributes]

/** What a point says beyond a number. */
export interface Extra {
  distribution?: Distribution
  exemplars?: Exemplar[]
  /** An integer beyond what a number holds exactly, or a number that JSON has no word for. */
  exact?: string
}

/** A point of a series. */
export interface Sample {
  /** Epoch ms. */
  at: number
  /** NaN where it is no number, or none was recorded. */
  value: number
  extra: Extra | undefined
  /** Of a stretch that stands for its points, since they are not kept any more. */
  stretch?: Summary
}

/** A point as it waits in the inbox. */
export interface InboxPoint {
  series: number
  sample: Sample
}

export function aboutOf({ metric, attributes }: Point): About {
  const { origin, name, type, unit, description, temporality, monotonic } = metric
  const { service, attributes: resource } = origin.resource
  const scope = scopeIdOf(metric)
  return { name, type, unit, description, temporality, monotonic, service, attributes, resource, scope }
}

/** Of what is kept as text: an integer, which an answer gives so, too. What else is text JSON has no word for. */
export const isLong = (text: string): boolean => /^-?\d+$/.test(text)

/** Of the flags of a point. */
const noRecordedValue = 1

/** Points that come together, of many series, as they are kept until they are packed. */
export class Inbox {
  private readonly series: number[] = []
  private readonly times: number[] = []
  private readonly values: number[] = []
  private readonly extras: [number, Extra][] = []
  /** Points that come together are mostly of one time. */
  private time = ''
  private ms = 0

  get count(): number {
    return this.series.length
  }

  add(series: number, { time, flags, value, distribution, exemplars }: Point): void {
    if (time !== this.time) {
      this.time = time
      this.ms = wholeMsOf(time)
    }
    const place = this.series.push(series) - 1
    this.times.push(this.ms)
    // A flag says that nothing was recorded, whatever stands there.
    const isNone = (flags & noRecordedValue) !== 0
    this.values.push(value === null || isNone ? Number.NaN : Number(value))
    if (isNone) return
    if (distribution === null && exemplars.length === 0 && typeof value !== 'string') return
    const extra: Extra = {}
    if (distribution !== null) extra.distribution = distribution
    if (exemplars.length > 0) extra.exemplars = exemplars
    if (typeof value === 'string') extra.exact = value
    this.extras.push([place, extra])
  }

  /** A column each, and what is more than a number as JSON. */
  pack(): Buffer {
    const { count, extras } = this
    const numbers = new Float64Array(1 + count * 3)
    numbers[0] = count
    numbers.set(this.series, 1)
    numbers.set(this.times, 1 + count)
    numbers.set(this.values, 1 + count * 2)
    const text = extras.length === 0 ? '' : JSON.stringify(extras)
    return pack(Buffer.concat([new Uint8Array(numbers.buffer), Buffer.from(text)]))
  }
}

/**
 * @param wanted series; undefined for all of them. Of others nothing is made.
 * @returns how many bytes a point takes here
 */
export function eachInboxPoint(
  packed: Uint8Array,
  wanted: ReadonlySet<number> | undefined,
  take: (series: number, sample: Sample) => void,
): number {
  const { buffer } = new Uint8Array(unpack(packed))
  const count = new Float64Array(buffer, 0, 1)[0] as number
  const numbers = new Float64Array(buffer, 8, count * 3)
  let extras: Map<number, Extra> | undefined
  for (let at = 0; at < count; at++) {
    const series = numbers[at] as number
    if (wanted !== undefined && !wanted.has(series)) continue
    extras ??= extrasOf(Buffer.from(buffer, 8 + count * 24))
    const [time, value] = [numbers[count + at] as number, numbers[count * 2 + at] as number]
    take(series, { at: time, value, extra: extras.get(at) })
  }
  return buffer.byteLength / Math.max(1, count)
}

const extrasOf = (text: Buffer): Map<number, Extra> =>
  new Map<number, Extra>(text.length === 0 ? [] : JSON.parse(text.toString('utf8')))
