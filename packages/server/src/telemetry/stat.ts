import type { MetricQuery } from '@watchpost/contract'
import type { Distribution } from '../ingest/rows.ts'
import type { About, Sample } from './points.ts'
import { quantileOf } from './quantile.ts'

export interface Shown {
  from: number
  to: number
  /** 0 for each point as it was sent. */
  stepMs: number
  stat: MetricQuery['stat']
}

type Point = [number, number | null]

const delta = 1
const cumulative = 2

/** The points of a series as they are asked for. */
export function pointsOf(about: About, samples: Sample[], { stepMs, stat }: Shown): Point[] {
  const isPlain = about.type === 'gauge' || about.type === 'sum'
  const steps = stepMs === 0 ? samples.map(each => ({ at: each.at, samples: [each] })) : inSteps(samples, stepMs)
  if (stat === 'rate' || (stat === 'count' && !isPlain)) return increases(about, steps, stat === 'rate')
  return steps.map(({ at, samples }) => {
    const value = isPlain ? plain(about, samples, stat) : distributed(about, samples, stat)
    return [at, value !== null && Number.isFinite(value) ? value : null]
  })
}

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
      return Math.min(...values)
    case 'max':
      return Math.max(...values)
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

function distributed({ temporality }: About, samples: Sample[], stat: MetricQuery['stat']): number | null {
  const all = samples.flatMap(({ extra }) => (extra?.distribution === undefined ? [] : [extra.distribution]))
  const last = all.at(-1)
  if (last === undefined) return null
  const together = temporality === cumulative ? last : all.reduce(mergeDistributions)
  switch (stat) {
    case 'sum':
      return together.sum
    case 'min':
      return together.min ?? null
    case 'max':
      return together.max ?? null
    case 'p50':
    case 'p90':
    case 'p95':
    case 'p99':
      return quantileOf(together, Number(stat.slice(1)) / 100)
    default:
      return together.sum === null || together.count === 0 ? null : together.sum / together.count
  }
}

/** Two of the same bounds; what cannot be added up is the later. */
export function mergeDistributions(a: Distribution, b: Distribution): Distribution {
  const same = JSON.stringify(a.bounds) === JSON.stringify(b.bounds) && a.counts?.length === b.counts?.length
  if (!same || a.counts === undefined || b.counts === undefined) return b
  const least = [a.min, b.min].filter(value => value != null)
  const most = [a.max, b.max].filter(value => value != null)
  return {
    ...b,
    count: a.count + b.count,
    sum: a.sum === null || b.sum === null ? null : a.sum + b.sum,
    counts: a.counts.map((count, index) => count + (b.counts?.[index] ?? 0)),
    min: least.length === 0 ? null : Math.min(...least),
    max: most.length === 0 ? null : Math.max(...most),
  }
}

/** By how much a counter has grown; one that is smaller than before has begun anew. */
function increases({ type, temporality }: About, steps: Step[], perSecond: boolean): Point[] {
  const counted = (sample: Sample) => (type === 'sum' ? sample.value : (sample.extra?.distribution?.count ?? 0))
  const points: Point[] = []
  let before: { at: number; value: number } | undefined
  for (const { at, samples } of steps) {
    const last = samples.at(-1) as Sample
    const sum = samples.reduce((all, sample) => all + counted(sample), 0)
    const isDelta = temporality === delta
    const value = isDelta ? sum : counted(last)
    if (before !== undefined) {
      const grown = isDelta ? value : value >= before.value || type === 'gauge' ? value - before.value : value
      const seconds = (last.at - before.at) / 1000
      points.push([at, perSecond ? (seconds > 0 ? grown / seconds : null) : grown])
    } else if (isDelta && !perSecond) points.push([at, value])
    before = { at: last.at, value }
  }
  return points
}
