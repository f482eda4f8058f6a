import type { App } from '@watchpost/contract'
import type { ReactNode } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { Link, useLocation } from '../../core/router.tsx'
import { Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'

const tabs = [
  ['', 'Overview'],
  ['/traces', 'Traces'],
  ['/logs', 'Logs'],
  ['/metrics', 'Metrics'],
  ['/rum', 'Visitors'],
] as const

export const useApp = (id: string) => useQuery(`app/${id}/`, async () => (await api.getApp({ params: { id } })).data)

/** An app, and the ways to look at what it sent; its parts keep the time that was chosen. */
export function AppFrame(props: {
  id: string
  title?: string
  actions?: ReactNode
  wide?: boolean
  children: (app: App) => ReactNode
}) {
  const { id, title, actions, wide = true, children } = props
  const { path, query } = useLocation()
  const known = useApp(id)
  const base = `/apps/${id}`
  const kept = new URLSearchParams([...query].filter(([name]) => ['range', 'from', 'to', 'service'].includes(name)))
  const isHere = (part: string) =>
    part === '' ? path === base : path === base + part || path.startsWith(`${base}${part}/`)
  const name = title ?? known.data?.name ?? 'App'
  const part = tabs.find(([each]) => each !== '' && isHere(each))
  return (
    <Page
      wide={wide}
      title={name}
      tab={part && `${part[1]} · ${name}`}
      back={title === undefined ? { to: '/apps', label: 'Apps' } : { to: base, label: known.data?.name ?? 'App' }}
      actions={actions}
    >
      <nav className="tabs" aria-label="Parts of the app">
        {tabs.map(([part, label]) => {
          const to = base + part
          return (
            <Link
              key={part}
              to={kept.size === 0 ? to : `${to}?${kept}`}
              aria-current={isHere(part) ? 'page' : undefined}
            >
              {label}
            </Link>
          )
        })}
      </nav>
      <Loaded of={known}>{children}</Loaded>
    </Page>
  )
}
