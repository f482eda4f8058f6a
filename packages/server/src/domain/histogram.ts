import { BadBytesError, VarintReader, writeVarint } from './varint.ts'

/**
 * Response times, counted in classes that each are two percent wide: a percentile read from them is at most one percent
 * off, and two histograms added up are the histogram of both. Class to count; empty classes are absent.
 */
export type Histogram = ReadonlyMap<number, number>

/** Upper end of a class divided by its lower end. */
const gamma = 1.02
const logGamma = Math.log(gamma)
/** Longest time a probe may report, an hour, in microseconds. */
const longestUs = 3_600_000_000
const lastClass = classOf(longestUs)

/** First byte of what is stored: another width of classes would be another format. */
const format = 1

export const emptyHistogram: Histogram = new Map()

/** Class 0 is everything up to a microsecond. */
function classOf(us: number): number {
  return us <= 1 ? 0 : Math.ceil(Math.log(Math.min(us, longestUs)) / logGamma)
}

/** Counts one more response time, in place: this happens with every check. */
export function countTime(histogram: Map<number, number>, us: number): void {
  const index = classOf(us)
  histogram.set(index, (histogram.get(index) ?? 0) + 1)
}

/** The histogram with one more response time. */
export function addTime(histogram: Histogram, us: number): Histogram {
  const more = new Map(histogram)
  countTime(more, us)
  return more
}

/** All of them in one; the order and the grouping do not matter. */
export function mergeHistograms(histograms: Iterable<Histogram>): Histogram {
  const sum = new Map<number, number>()
  for (const histogram of histograms) {
    for (const [index, count] of histogram) sum.set(index, (sum.get(index) ?? 0) + count)
  }
  return sum
}

/**
 * Times in milliseconds that these shares of all are not above (nearest rank).
 * @param shares 0.5 is the median; 0 the shortest, 1 the longest
 * @returns null for each where nothing was counted
 */
export function percentiles(histogram: Histogram, shares: readonly number[]): (number | null)[] {
  const classes = [...histogram].sort(([a], [b]) => a - b)
  const total = classes.reduce((sum, [, count]) => sum + count, 0)
  return shares.map(share => {
    const rank = Math.max(1, Math.ceil(share * total))
    let seen = 0
    for (const [index, count] of classes) {
      seen += count
      if (seen >= rank) return middleMs(index)
    }
    return null
  })
}

/** The time that is equally far, in percent, from both ends of a class. */
function middleMs(index: number): number {
  return index === 0 ? 0.001 : (2 * gamma ** index) / (gamma + 1) / 1000
}

/**
 * Format, then for each class the distance from the one before, twice, plus one where a count follows: most classes of
 * five minutes hold one check, and take one byte.
 */
export function encodeHistogram(histogram: Histogram): Uint8Array {
  const bytes: number[] = []
  writeHistogram(bytes, histogram)
  return new Uint8Array(bytes)
}

/** Appends what {@link encodeHistogram} gives. */
export function writeHistogram(bytes: number[], histogram: Histogram): void {
  bytes.push(format)
  let before = 0
  for (const [index, count] of [...histogram].sort(([a], [b]) => a - b)) {
    writeVarint(bytes, (index - before) * 2 + Number(count > 1))
    if (count > 1) writeVarint(bytes, count)
    before = index
  }
}

/** @throws {BadBytesError} for bytes that {@link encodeHistogram} does not write */
export function decodeHistogram(bytes: Uint8Array): Histogram {
  if (bytes[0] !== format) throw new BadBytesError(`a histogram of format ${bytes[0]} cannot be read`)
  const reader = new VarintReader(bytes, 1)
  const histogram = new Map<number, number>()
  let index = 0
  while (!reader.done) {
    const word = reader.next()
    const distance = Math.floor(word / 2)
    if (distance === 0 && histogram.size > 0) throw new BadBytesError('a histogram has a class twice')
    index += distance
    if (index > lastClass) throw new BadBytesError('a histogram has a class beyond an hour')
    const count = word % 2 === 1 ? reader.next() : 1
    if (word % 2 === 1 && count < 2) throw new BadBytesError('a histogram has a count that says nothing')
    histogram.set(index, count)
  }
  return histogram
}
