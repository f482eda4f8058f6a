import { expect, test } from 'vitest'
import type { Distribution } from '../ingest/rows.ts'
import { mayShrink } from './counters.ts'
import type { About, Sample } from './points.ts'
import { sampleOf } from './read-samples.ts'
import { mergeSummaries, packSummaries, type Summary, summaryOf, unpackSummaries } from './rollup-points.ts'
import { pointsOf } from './stat.ts'
import { about } from './testing/about.ts'

const stretchMs = 300_000

/** The same numbers each time. */
let seed = 1
const random = (below: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}

/** A day of one, every minute but for some; now and then it begins anew, and may have grown beyond what it was by its next point. */
function dayOf({ type, temporality, monotonic }: About): Sample[] {
  const samples: Sample[] = []
  let counts = [0, 0, 0]
  for (let minute = 0; minute < 1440; minute++) {
    const isNew = temporality === 1 || random(50) === 0
    counts = (isNew ? [0, 0, 0] : counts).map(count => count + random(isNew && random(2) === 0 ? 900 : 5))
    if (random(10) === 0) continue
    const count = counts.reduce((all, each) => all + each, 0)
    const [at, least] = [minute * 60_000, monotonic ? 0 : 400]
    if (type === 'sum' || type === 'gauge') samples.push({ at, value: count - least, extra: undefined })
    else {
      const sum = counts.reduce((all, each, place) => all + each * place, 0)
      const distribution: Distribution = { count, sum, min: null, max: null, bounds: [1, 2], counts }
      samples.push({ at, value: Number.NaN, extra: { distribution } })
    }
  }
  return samples
}

const stretches = (of: About, samples: Sample[]): Summary[] =>
  [...Map.groupBy(samples, ({ at }) => Math.floor(at / stretchMs) * stretchMs)].map(([at, each]) =>
    summaryOf(of, at, each),
  )
const kept = (summaries: Summary[]) => unpackSummaries(packSummaries({ mark: 1, summaries })).summaries

test.each([
  ['a counter', about({})],
  ['a counter of what is new', about({ temporality: 1 })],
  ['a sum that may shrink', about({ monotonic: false })],
  ['a gauge', about({ type: 'gauge', temporality: 0 })],
  ['a histogram', about({ type: 'histogram' })],
  ['a histogram of what is new', about({ type: 'histogram', temporality: 1 })],
])('%s says of each hour the same, whether its points are there or what was made of them', (_, of) => {
  const samples = dayOf(of)
  const rolled = kept(stretches(of, samples)).map(summary => sampleOf(of, summary))
  // Of what may shrink the first point of a stretch is not kept, nor a first histogram: the first hour of all begins otherwise.
  const first = mayShrink(of) || of.type === 'histogram' ? 1 : 0
  for (const stat of ['rate', 'count', 'sum', 'avg', 'min', 'max', undefined] as const) {
    const asked = { from: 0, to: 1e9, stepMs: 3_600_000, stat }
    const round = (points: [number, unknown][]) =>
      points.slice(first).map(([at, value]) => [at, Number(value).toPrecision(9)])
    expect([stat, round(pointsOf(of, rolled, asked))]).toEqual([stat, round(pointsOf(of, samples, asked))])
  }
})

test.each([about({}), about({ type: 'histogram' })])(
  'points that come late are in it as if they had come in time',
  of => {
    const samples = dayOf(of).slice(0, 12)
    const whole = summaryOf(of, 0, samples)
    const parts = (...edges: number[]) =>
      [0, ...edges].map((from, at) => summaryOf(of, 0, samples.slice(from, edges[at] ?? samples.length)))
    const [a, b, c] = parts(4, 8) as [Summary, Summary, Summary]
    for (const order of [
      [a, b, c],
      [c, a, b],
      [b, c, a],
    ] as const) {
      expect(order.reduce((all, each) => mergeSummaries(of, all, each))).toEqual(whole)
    }
  },
)

test('what an earlier release has put together is read as it was', () => {
  const before = { at: 0, count: 2, sum: 3, min: 1, max: 2, lastAt: 9, last: 2, distribution: undefined }
  const summaries = [{ ...before, counter: undefined }]
  expect(kept(summaries)).toEqual(summaries)
  const samples = [sampleOf(about({}), summaries[0] as Summary), { at: 60_000, value: 5, extra: undefined }]
  expect(pointsOf(about({}), samples, { from: 0, to: 1e9, stepMs: 60_000, stat: 'rate' })).toEqual([
    [60_000, 3 / (60 - 0.009)],
  ])
})
