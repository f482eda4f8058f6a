import type { Heartbeat, Host, HostPoint, ProbeWork } from '@watchpost/contract'
import { Host as HostSchema, ProbeWork as WorkSchema } from '@watchpost/contract'
import { bucketStart, type Resolution } from './rollup.ts'

/** What is counted of a machine. */
const figures = ['cpu', 'memory', 'disk', 'load'] as const
type Figure = (typeof figures)[number]

/** Of each figure: how many heartbeats told it, their sum in hundredths, and the highest. */
export type HostCounts = Record<`${Figure}_${'count' | 'sum' | 'max'}`, number>

type Told = NonNullable<Heartbeat['host']>

/** Figures that are made here, or by the server, and not told. */
const made = ['reported_at', 'memory_percent', 'disk_percent', 'spool_percent']

/** A heartbeat as it is kept: fields that are known, and told. */
export function keptFacts({ host, work }: Heartbeat): { host: string; work: string } {
  const known = (schema: { properties: object }, told: object = {}) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(told).filter(
          ([name, value]) => value !== null && name in schema.properties && !made.includes(name),
        ),
      ),
    )
  return { host: known(HostSchema, host), work: known(WorkSchema, work) }
}

/** A machine as it is shown. */
export function hostView(told: Told, reported_at: string): Host {
  const names = Object.keys(HostSchema.properties)
  const facts = Object.fromEntries(names.map(name => [name, told[name as keyof Told] ?? null]))
  return { ...facts, ...shares(told), reported_at } as Host
}

export function workView(told: Record<string, number | null>): ProbeWork {
  const names = Object.keys(WorkSchema.properties)
  return Object.fromEntries(names.map(name => [name, told[name] ?? null])) as ProbeWork
}

/** Shares in percent, of what was told in bytes. */
export function shares(told: Told) {
  return {
    cpu_percent: told.cpu_percent ?? null,
    memory_percent: share(told.memory_used_bytes, told.memory_total_bytes),
    disk_percent: share(told.disk_used_bytes, told.disk_total_bytes),
    spool_percent: share(told.spool_used_bytes, told.spool_total_bytes),
  }
}

function share(used: number | null | undefined, total: number | null | undefined): number | null {
  if (used === null || used === undefined || !total) return null
  return Math.min(100, Math.round((10_000 * used) / total) / 100)
}

/** One heartbeat as it is counted: in hundredths, which are integers. */
export function figuresOf(told: Told): HostCounts {
  const { cpu_percent, memory_percent, disk_percent } = shares(told)
  const values: Record<Figure, number | null | undefined> = {
    cpu: cpu_percent,
    memory: memory_percent,
    disk: disk_percent,
    load: told.load_1,
  }
  const counts = figures.flatMap(name => {
    const value = values[name]
    const hundredths = Math.round((value ?? 0) * 100)
    const count = value === null || value === undefined ? 0 : 1
    return [
      [`${name}_count`, count],
      [`${name}_sum`, hundredths],
      [`${name}_max`, hundredths],
    ]
  })
  return Object.fromEntries(counts) as HostCounts
}

/** A stretch of time as it is shown. */
export function hostPoint(row: HostCounts & { bucket: number }, resolution: Resolution): HostPoint {
  const average = (name: Figure) =>
    row[`${name}_count`] === 0 ? null : Math.round(row[`${name}_sum`] / row[`${name}_count`]) / 100
  const highest = (name: Figure) => (row[`${name}_count`] === 0 ? null : row[`${name}_max`] / 100)
  return {
    at: new Date(bucketStart(row.bucket, resolution)).toISOString(),
    cpu_percent: average('cpu'),
    cpu_percent_max: highest('cpu'),
    memory_percent: average('memory'),
    memory_percent_max: highest('memory'),
    disk_percent: average('disk'),
    disk_percent_max: highest('disk'),
    load_1: average('load'),
    load_1_max: highest('load'),
  }
}
