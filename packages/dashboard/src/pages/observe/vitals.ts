import type { RumVital } from '@watchpost/contract'
import { milliseconds } from '../../core/format.ts'

/** Web vitals, the most telling first, and what of each is good and what is poor (web.dev/vitals), at the 75th percentile. */
export const vitals = {
  LCP: { label: 'Largest paint', good: 2500, poor: 4000 },
  INP: { label: 'Answer to input', good: 200, poor: 500 },
  CLS: { label: 'Layout shift', good: 0.1, poor: 0.25 },
  FCP: { label: 'First paint', good: 1800, poor: 3000 },
  TTFB: { label: 'First byte', good: 800, poor: 1800 },
} as const
export type VitalName = keyof typeof vitals
export const vitalNames = Object.keys(vitals) as VitalName[]

export function rate(name: VitalName, p75: number): 'good' | 'warn' | 'bad' {
  const { good, poor } = vitals[name]
  return p75 <= good ? 'good' : p75 <= poor ? 'warn' : 'bad'
}

export const vitalText = (name: VitalName, value: number): string =>
  name === 'CLS' ? value.toFixed(value < 0.1 ? 3 : 2) : milliseconds(value)

export interface PageVitals {
  page: string
  count: number
  of: Partial<Record<VitalName, RumVital>>
}

/** The vitals of each page, the page most measured first. */
export function byPage(rows: RumVital[]): PageVitals[] {
  const pages = new Map<string, PageVitals>()
  for (const row of rows) {
    if (!(row.name in vitals)) continue
    const page = pages.get(row.page) ?? { page: row.page, count: 0, of: {} }
    page.of[row.name as VitalName] = row
    page.count = Math.max(page.count, row.count)
    pages.set(row.page, page)
  }
  return [...pages.values()].sort((a, b) => b.count - a.count)
}
