/** Strokes on a grid of 24, drawn for this: one weight, one size. */
const paths = {
  monitors: 'M3 12h4l3-8 4 16 3-8h4',
  incidents: 'M12 8v5m0 3.5v.01M10.3 3.9 2.6 17.4A2 2 0 0 0 4.3 20.4h15.4a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z',
  maintenance: 'M14.7 6.3a4 4 0 0 0-5.2 5.2L3 18l3 3 6.5-6.5a4 4 0 0 0 5.2-5.2L15 12l-3-3 2.7-2.7Z',
  pages: 'M4 5h16v14H4zM4 9h16M8 13h8M8 16h5',
  channels: 'M6 9a6 6 0 1 1 12 0c0 6 2 7 2 7H4s2-1 2-7Zm4 11a2.2 2.2 0 0 0 4 0',
  probes:
    'M12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm-4.5 2.5a6 6 0 0 1 0-9m9 0a6 6 0 0 1 0 9M4.5 19.5a10.5 10.5 0 0 1 0-15m15 0a10.5 10.5 0 0 1 0 15',
  apps: 'M12 3 3 7.5l9 4.5 9-4.5L12 3ZM3 12l9 4.5 9-4.5M3 16.5 12 21l9-4.5',
  tokens: 'M15.5 8.5h.01M14 14a5 5 0 1 0-4.6-3L3 17.4V21h3.6l1.4-1.4v-2h2v-2h1.5',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9v-1a5 5 0 0 1 5-5h2a5 5 0 0 1 5 5v1m1-15.6a3.5 3.5 0 0 1 0 6.7M21 20v-1a5 5 0 0 0-3.5-4.8',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5',
  zoom: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5M11 8v6m-3-3h6',
  plus: 'M12 5v14M5 12h14',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'm5 13 4 4L19 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  pause: 'M9 5v14M15 5v14',
  play: 'M7 5v14l12-7L7 5Z',
  trash: 'M4 7h16M10 11v6m4-6v6M6 7l1 13h10l1-13M9 7V4h6v3',
  edit: 'm4 20 1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L8 19l-4 1Z',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  back: 'm14 6-6 6 6 6',
  forward: 'm10 6 6 6-6 6',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z',
  system: 'M3 5h18v11H3zM9 20h6M12 16v4',
  logout: 'M15 12H4m4-4-4 4 4 4M11 4h9v16h-9',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  up: 'm6 14 6-6 6 6',
  down: 'm6 10 6 6 6-6',
  offline:
    'M3 3l18 18M8.5 16.4a5 5 0 0 1 7 0M5 12.9a10 10 0 0 1 5.2-2.7M19 12.9a10 10 0 0 0-2-1.5M12 20h.01M2 8.8a15 15 0 0 1 4.2-2.6M22 8.8A15 15 0 0 0 11 5',
} as const
export type IconName = keyof typeof paths

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
