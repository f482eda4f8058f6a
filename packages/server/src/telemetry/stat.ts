import type { MetricQuery } from '@watchpost/contract'
import type { Distribution } from '../ingest/rows.ts'
import { countOf, isDelta, mayShrink } from './counters.ts'
import { distributionSince, mergeDistributions, together } from './distributions.ts'
import { type About, isLong, type Sample } from './points.ts'
import { quantileOf } from './quantile.ts'

export interface Shown {
  from: number
  to: number
  /** 0 for each point as it was sent. */
  stepMs: number
  stat: MetricQuery['stat']
}

type Point = [number, number | string | null]

/** The points of a series as they are asked for. */
export function pointsOf(about: About, samples: Sample[], { stepMs, stat }: Shown): Point[] {
  const isPlain = about.type === 'gauge' || about.type === 'sum'
  const steps = stepMs === 0 ? samples.map(each => ({ at: each.at, samples: [each] })) : inSteps(samples, stepMs)
  if (stat === 'rate' || (stat === 'count' && !isPlain)) return increases(about, steps, stat === 'rate')
  let before: Distribution | undefined
  return steps.map(({ at, samples }) => {
    if (stepMs === 0 && isAsSent(stat)) {
      const long = samples[0]?.extra?.exact
      if (long !== undefined && isLong(long)) return [at, long]
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

function plain(about: About, all: Sample[], stat: MetricQuery['stat']): number | null {
  const samples = all.filter(({ value }) => !Number.isNaN(value))
  const values = samples.map(({ value }) => value)
  if (values.length === 0) return null
  const count = samples.reduce((many, { stretch }) => many + (stretch?.count ?? 1), 0)
  const sum = samples.reduce((much, { value, stretch }) => much + (stretch?.sum ?? value), 0)
  switch (stat) {
    case 'count':
      return count
    case 'sum':
      return sum
    case 'avg':
      return sum / count
    case 'min':
      return samples.reduce((least, { value, stretch }) => Math.min(least, stretch?.min ?? value), Infinity)
    case 'max':
      return samples.reduce((most, { value, stretch }) => Math.max(most, stretch?.max ?? value), -Infinity)
    case 'p50':
    case 'p90':
    case 'p95':
    case 'p99': {
      const sorted = values.toSorted((a, b) => a - b)
      return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * Number(stat.slice(1))) / 100))] ?? null
    }
    default:
      return isDelta(about) ? sum : (values.at(-1) ?? null)
  }
}

/** @param before the last one of the step before: those that are counted on and on say of a step what was added in it */
function distributed(
  about: About,
  samples: Sample[],
  stat: MetricQuery['stat'],
  before: Distribution | undefined,
): number | null {
  const all = samples.flatMap(({ extra }) => (extra?.distribution === undefined ? [] : [extra.distribution]))
  const last = all.at(-1)
  if (last === undefined) return null
  const whole = isDelta(about) ? all.reduce(mergeDistributions) : added(samples, last, before ?? firstOf(samples))
  switch (stat) {
    case 'sum':
      return whole.sum
    case 'min':
      return (isDelta(about) ? whole : last).min ?? null
    case 'max':
      return (isDelta(about) ? whole : last).max ?? null
    case 'p50':
    case 'p90':
    case 'p95':
    case 'p99':
      return quantileOf(whole, Number(stat.slice(1)) / 100)
    default:
      return whole.sum === null || whole.count === 0 ? null : whole.sum / whole.count
  }
}

/** What was counted in a step by one that may have begun anew in it: up to the last, and what it had come to before. */
function added(samples: Sample[], last: Distribution, before: Distribution | undefined): Distribution {
  let previous = before
  let ended: Distribution | undefined
  for (const { extra, stretch } of samples) {
    if (extra?.distribution === undefined) continue
    const first = stretch?.counter?.first ?? extra.distribution.count
    if (previous !== undefined && first < previous.count) ended = together(ended, previous)
    ended = together(ended, stretch?.counter?.endedDistribution)
    previous = extra.distribution
  }
  const all = ended === undefined ? last : mergeDistributions(ended, last)
  return before === undefined ? all : distributionSince(before, all)
}

/** Of the first step of all what was counted before it is not known, but for what its first point says. */
function firstOf(samples: Sample[]): Distribution | undefined {
  const [first, ...more] = samples.filter(({ extra }) => extra?.distribution !== undefined)
  return more.length > 0 && first?.stretch === undefined ? first?.extra?.distribution : undefined
}

const lastOf = (samples: Sample[]): Distribution | undefined =>
  samples.findLast(({ extra }) => extra?.distribution !== undefined)?.extra?.distribution

/**
 * By how much a counter has grown, from each sample to the next: one that is smaller than before has begun anew, however
 * often within a step. What may also shrink, a gauge or a sum that is no counter, has not.
 */
function increases(about: About, steps: Step[], perSecond: boolean): Point[] {
  const [isNew, shrinks] = [isDelta(about), mayShrink(about)]
  const growth = (before: number, value: number) => (shrinks || value >= before ? value - before : value)
  const points: Point[] = []
  let before: { at: number; value: number } | undefined
  for (const { at, samples } of steps) {
    let since = before
    let grown = 0
    for (const sample of samples) {
      const value = countOf(about, sample)
      // None was recorded.
      if (Number.isNaN(value)) continue
      const { lastAt = sample.at, counter } = sample.stretch ?? {}
      const [firstAt, first] = counter === undefined ? [lastAt, value] : [counter.firstAt, counter.first]
      if (isNew) grown += value
      else if (before !== undefined) grown += growth(before.value, first)
      else since = { at: firstAt, value: first }
      if (counter !== undefined) grown += counter.ended + value - counter.first
      before = { at: lastAt, value }
    }
    if (before === undefined) continue
    const seconds = since === undefined ? 0 : (before.at - since.at) / 1000
    if (seconds > 0) points.push([at, perSecond ? grown / seconds : grown])
    else if (isNew && !perSecond) points.push([at, grown])
  }
  return points
}
