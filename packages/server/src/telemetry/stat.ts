import type { MetricQuery } from '@watchpost/contract'
import type { Distribution } from '../ingest/rows.ts'
import { distributionSince, mergeDistributions } from './distributions.ts'
import type { About, Sample } from './points.ts'
import { quantileOf } from './quantile.ts'

export interface Shown {
  from: number
  to: number
  /** 0 for each point as it was sent. */
  stepMs: number
  stat: MetricQuery['stat']
}

type Point = [number, number | string | null]

const delta = 1

/** The points of a series as they are asked for. */
export function pointsOf(about: About, samples: Sample[], { stepMs, stat }: Shown): Point[] {
  const isPlain = about.type === 'gauge' || about.type === 'sum'
  const steps = stepMs === 0 ? samples.map(each => ({ at: each.at, samples: [each] })) : inSteps(samples, stepMs)
  if (stat === 'rate' || (stat === 'count' && !isPlain)) return increases(about, steps, stat === 'rate')
  let before: Distribution | undefined
  return steps.map(({ at, samples }) => {
    if (stepMs === 0 && isAsSent(stat)) {
      const long = samples[0]?.extra?.exact
      if (long !== undefined && /^-?\d+$/.test(long)) return [at, long]
    }
    const value = isPlain ? plain(about, samples, stat) : distributed(about, samples, stat, before)
    if (stepMs > 0 && !isPlain) before = lastOf(samples) ?? before
    return [at, value !== null && Number.isFinite(value) ? value : null]
  })
}

const isAsSent = (stat: MetricQuery['stat']): boolean => stat === undefined || stat === 'value'

interface Step {
  at: number
  samples: Sample[]
}

function inSteps(samples: Sample[], stepMs: number): Step[] {
  const steps: Step[] = []
  for (const sample of samples) {
    const at = Math.floor(sample.at / stepMs) * stepMs
    const last = steps.at(-1)
    if (last?.at === at) last.samples.push(sample)
    else steps.push({ at, samples: [sample] })
  }
  return steps
}

function plain({ type, temporality }: About, samples: Sample[], stat: MetricQuery['stat']): number | null {
  const values = samples.map(({ value }) => value).filter(value => !Number.isNaN(value))
  if (values.length === 0) return null
  const sum = values.reduce((all, value) => all + value, 0)
  switch (stat) {
    case 'count':
      return values.length
    case 'sum':
      return sum
    case 'avg':
      return sum / values.length
    case 'min':
      return values.reduce((least, value) => Math.min(least, value))
    case 'max':
      return values.reduce((most, value) => Math.max(most, value))
    case 'p50':
    case 'p90':
    case 'p95':
    case 'p99': {
      const sorted = values.toSorted((a, b) => a - b)
      return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * Number(stat.slice(1))) / 100))] ?? null
    }
    default:
      return type === 'sum' && temporality === delta ? sum : (values.at(-1) ?? null)
  }
}

/** @param before the last one of the step before: those that are counted on and on say of a step what was added in it */
function distributed(
  { temporality }: About,
  samples: Sample[],
  stat: MetricQuery['stat'],
  before: Distribution | undefined,
): number | null {
  const all = samples.flatMap(({ extra }) => (extra?.distribution === undefined ? [] : [extra.distribution]))
  const last = all.at(-1)
  if (last === undefined) return null
  const isDelta = temporality === delta
  const together = isDelta
    ? all.reduce(mergeDistributions)
    : before === undefined
      ? last
      : distributionSince(before, last)
  switch (stat) {
    case 'sum':
      return together.sum
    case 'min':
      return (isDelta ? together : last).min ?? null
    case 'max':
      return (isDelta ? together : last).max ?? null
    case 'p50':
    case 'p90':
    case 'p95':
    case 'p99':
      return quantileOf(together, Number(stat.slice(1)) / 100)
    default:
      return together.sum === null || together.count === 0 ? null : together.sum / together.count
  }
}

const lastOf = (samples: Sample[]): Distribution | undefined =>
  samples.findLast(({ extra }) => extra?.distribution !== undefined)?.extra?.distribution

/**
 * By how much a counter has grown, from each sample to the next: one that is smaller than before has begun anew, however
 * often within a step. What may also shrink, a gauge or a sum that is no counter, has not.
 */
function increases({ type, temporality, monotonic }: About, steps: Step[], perSecond: boolean): Point[] {
  const isPlain = type === 'gauge' || type === 'sum'
  const numberOf = (sample: Sample) => (isPlain ? sample.value : (sample.extra?.distribution?.count ?? Number.NaN))
  const mayShrink = type === 'gauge' || (type === 'sum' && !monotonic)
  const isDelta = type !== 'gauge' && temporality === delta
  const points: Point[] = []
  let before: { at: number; value: number } | undefined
  for (const { at, samples } of steps) {
    let since = before
    let grown = 0
    for (const sample of samples) {
      const value = numberOf(sample)
      // None was recorded.
      if (Number.isNaN(value)) continue
      if (isDelta) grown += value
      else if (before === undefined) before = { at: sample.at, value }
      else grown += mayShrink || value >= before.value ? value - before.value : value
      since ??= isDelta ? undefined : before
      before = { at: sample.at, value }
    }
    if (before === undefined) continue
    const seconds = since === undefined ? 0 : (before.at - since.at) / 1000
    if (seconds > 0) points.push([at, perSecond ? grown / seconds : grown])
    else if (isDelta && !perSecond) points.push([at, grown])
  }
  return points
}
