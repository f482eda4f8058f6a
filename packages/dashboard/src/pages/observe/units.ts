import { bytes, count, milliseconds } from '../../core/format.ts'

/** A number of a metric, with its unit (UCUM, as OpenTelemetry says it) in words people read. */
export function amount(value: number | null | undefined, unit: string, rate = false): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  const per = rate ? '/s' : ''
  if (unit === 's' && !rate) return milliseconds(value * 1000)
  if (unit === 'ms' && !rate) return milliseconds(value)
  if (unit === 'us' && !rate) return milliseconds(value / 1000)
  if (unit === 'ns' && !rate) return milliseconds(value / 1_000_000)
  if (unit === 'By') return (value < 0 ? '-' : '') + bytes(Math.abs(value)) + per
  if (unit === '%') return `${short(value)} %`
  // A ratio, and an annotation in braces: `{request}`.
  const word = unit === '1' ? '' : unit.replace(/[{}]/g, '')
  return `${short(value)}${word === '' ? '' : ` ${word}`}${per}`
}

function short(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${trim(value / 1e9)} G`
  if (size >= 1e6) return `${trim(value / 1e6)} M`
  if (size >= 1e4) return `${trim(value / 1e3)} k`
  return Number.isInteger(value) ? count(value) : trim(value)
}

const trim = (value: number): string => String(Number(value.toPrecision(3)))
