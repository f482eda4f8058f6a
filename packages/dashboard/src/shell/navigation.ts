import type { IconName } from '../ui/icon.tsx'

export interface Place {
  to: string
  label: string
  icon: IconName
  /** Second key after g. */
  key: string
}

/** Where one can go: for the menu, the palette and the keys. */
export const places: Place[] = [
  { to: '/monitors', label: 'Monitors', icon: 'monitors', key: 'm' },
  { to: '/incidents', label: 'Incidents', icon: 'incidents', key: 'i' },
  { to: '/maintenance', label: 'Maintenance', icon: 'maintenance', key: 'w' },
  { to: '/status-pages', label: 'Status pages', icon: 'pages', key: 's' },
  { to: '/channels', label: 'Channels', icon: 'channels', key: 'c' },
  { to: '/probes', label: 'Probes', icon: 'probes', key: 'p' },
  { to: '/apps', label: 'Apps', icon: 'apps', key: 'a' },
  { to: '/tokens', label: 'Tokens', icon: 'tokens', key: 'k' },
  { to: '/team', label: 'Team', icon: 'team', key: 't' },
]
