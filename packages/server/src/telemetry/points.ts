import type { Attributes, Distribution, Exemplar, Metric, Point } from '../ingest/rows.ts'
import { msOf, pack, unpack } from './block.ts'

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
}

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
}

export interface InboxPoint {
  series: number
  sample: Sample
}

export function aboutOf({ metric, attributes }: Point): About {
  const { origin, name, type, unit, description, temporality, monotonic } = metric
  const { service, attributes: resource } = origin.resource
  return { name, type, unit, description, temporality, monotonic, service, attributes, resource }
}

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

  add(series: number, { time, value, distribution, exemplars }: Point): void {
    if (time !== this.time) {
      this.time = time
      this.ms = Math.floor(msOf(time))
    }
    const place = this.series.push(series) - 1
    this.times.push(this.ms)
    this.values.push(value === null ? Number.NaN : Number(value))
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

export function unpackInbox(packed: Uint8Array): InboxPoint[] {
  const points: InboxPoint[] = []
  eachInboxPoint(packed, undefined, (series, sample) => points.push({ series, sample }))
  return points
}

/** @param wanted series; undefined for all of them. Of others nothing is made. */
export function eachInboxPoint(
  packed: Uint8Array,
  wanted: ReadonlySet<number> | undefined,
  take: (series: number, sample: Sample) => void,
): void {
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
}

const extrasOf = (text: Buffer): Map<number, Extra> =>
  new Map<number, Extra>(text.length === 0 ? [] : JSON.parse(text.toString('utf8')))
