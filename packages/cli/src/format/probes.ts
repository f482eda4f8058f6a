import type { Probe } from '@watchpost/contract'
import type { View } from '../view.ts'
import { share } from './hosts.ts'
import { milliseconds } from './monitors.ts'
import { ago } from './time.ts'

export const probeView: View<Probe> = {
  singular: 'probe',
  plural: 'probes',
  name: probe => probe.name,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    { title: 'NAME', cell: ({ name }) => name, least: 12 },
    { title: 'REGION', cell: ({ region }) => region, least: 10 },
    { title: 'VERSION', cell: ({ version }) => version ?? '-', least: 7, optional: 1 },
    { title: 'LAST SEEN', cell: (probe, now) => ago(probe.last_seen_at, now) },
    // A server from before heartbeats says nothing of these.
    { title: 'HOLDS', cell: ({ work }) => count(work?.monitors), right: true, optional: 2 },
    { title: 'MISSED', cell: ({ work }) => count(work?.missed), right: true, optional: 3 },
    { title: 'LAG', cell: ({ work }) => lag(work?.lag_ms), right: true, optional: 6 },
    { title: 'CPU', cell: ({ host }) => share(host?.cpu_percent), right: true, optional: 4 },
    { title: 'MEMORY', cell: ({ host }) => share(host?.memory_percent), right: true, optional: 4 },
    { title: 'DISK', cell: ({ host }) => share(host?.disk_percent), right: true, optional: 5 },
  ],
}

function count(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : String(value)
}

function lag(value: number | null | undefined): string {
  return milliseconds(value ?? null)
}
