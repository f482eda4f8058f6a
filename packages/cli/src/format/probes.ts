import type { Probe } from '@watchpost/contract'
import type { View } from '../view.ts'
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
  ],
}
