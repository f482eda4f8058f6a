import { pack, unpack } from './block.ts'
import type { Extra, Sample } from './points.ts'

/** Decimal places that are tried, so that what people measure becomes whole numbers. */
const scales = [1, 10, 100, 1000]

/**
 * Points of one series in the order of time: of each how it differs from the one before. Times are whole milliseconds;
 * values are whole after a scale where all of them can be, and doubles otherwise.
 */
export function packSamples(samples: readonly Sample[]): Buffer {
  const values = samples.map(({ value }) => value)
  const scale = scales.find(scale => values.every(value => isWhole(value, scale))) ?? 0
  const numbers: number[] = [samples.length, scale]
  let at = 0
  let step = 0
  for (const sample of samples) {
    numbers.push(zigzag(sample.at - at - step))
    step = sample.at - at
    at = sample.at
  }
  if (scale > 0) {
    let before = 0
    for (const value of values) {
      const whole = Math.round(value * scale)
      numbers.push(zigzag(whole - before))
      before = whole
    }
  }
  const parts = [Buffer.from(varints(numbers))]
  if (scale === 0) parts.push(Buffer.from(new Float64Array(values).buffer))
  const extras = samples.flatMap(({ extra }, index) => (extra === undefined ? [] : [[index, extra]]))
  if (extras.length > 0) parts.push(Buffer.from(JSON.stringify(extras)))
  const plain = Buffer.concat(parts)
  const packed = pack(plain)
  // A few points are shorter without a frame around them.
  return packed.length < plain.length
    ? Buffer.concat([Buffer.from([1]), packed])
    : Buffer.concat([Buffer.from([0]), plain])
}

export function unpackSamples(chunk: Uint8Array): Sample[] {
  const bytes = chunk[0] === 1 ? unpack(chunk.subarray(1)) : Buffer.from(chunk.subarray(1))
  let place = 0
  const next = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[place++] as number
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const count = next()
  const scale = next()
  const times: number[] = []
  let at = 0
  let step = 0
  for (let index = 0; index < count; index++) {
    step += unzigzag(next())
    at += step
    times.push(at)
  }
  const values: number[] = []
  if (scale > 0) {
    let whole = 0
    for (let index = 0; index < count; index++) {
      whole += unzigzag(next())
      values.push(whole / scale)
    }
  } else {
    for (let index = 0; index < count; index++) values.push(bytes.readDoubleLE(place + index * 8))
    place += count * 8
  }
  const rest = bytes.toString('utf8', place)
  const extras = new Map<number, Extra>(rest === '' ? [] : JSON.parse(rest))
  return times.map((at, index) => ({ at, value: values[index] as number, extra: extras.get(index) }))
}

/** Below 2^51: a difference, doubled, is still exact. */
function isWhole(value: number, scale: number): boolean {
  const whole = Math.round(value * scale)
  return Math.abs(whole) < 2 ** 51 && whole / scale === value && !Object.is(value, -0)
}

const zigzag = (value: number): number => (value < 0 ? -value * 2 - 1 : value * 2)
const unzigzag = (value: number): number => (value % 2 === 1 ? -(value + 1) / 2 : value / 2)

function varints(numbers: number[]): number[] {
  const bytes: number[] = []
  for (const number of numbers) {
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
    bytes.push(rest)
  }
  return bytes
}
