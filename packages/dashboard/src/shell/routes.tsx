import type { RouteName } from '@watchpost/contract'
import { type ComponentType, lazy, Suspense } from 'react'
import { matchPath, useLocation } from '../core/router.tsx'
import { roleFor, useMay, useSession } from '../core/session.tsx'
import { MonitorList } from '../pages/monitors/list.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, Skeleton } from '../ui/state.tsx'
import { PageNotLoaded } from './not-loaded.tsx'
import { openPalette } from './palette.tsx'

// biome-ignore lint/suspicious/noExplicitAny: each page says which parts of its path it takes
type PageComponent = ComponentType<any>

/** What is not the first page comes when it is asked for. */
const later = <Name extends string>(load: () => Promise<Record<Name, PageComponent>>, name: Name): PageComponent =>
  lazy(async () => {
    const found = await load().catch(cause => {
      throw new PageNotLoaded('the page did not come', { cause })
    })
    return { default: found[name] }
  })

/** With the call that a form is for: whoever may not make it is not let fill it in. */
const pages: [pattern: string, page: PageComponent, call?: RouteName][] = [
  ['/', MonitorList],
  ['/monitors', MonitorList],
  ['/monitors/new', later(() => import('../pages/monitors/edit.tsx'), 'NewMonitor'), 'createMonitor'],
  ['/monitors/:id', later(() => import('../pages/monitors/monitor.tsx'), 'MonitorPage')],
  ['/monitors/:id/edit', later(() => import('../pages/monitors/edit.tsx'), 'EditMonitor'), 'updateMonitor'],
  ['/incidents', later(() => import('../pages/incidents/list.tsx'), 'IncidentList')],
  ['/incidents/new', later(() => import('../pages/incidents/edit.tsx'), 'NewIncident'), 'createIncident'],
  ['/incidents/:id', later(() => import('../pages/incidents/incident.tsx'), 'IncidentPage')],
  ['/incidents/:id/edit', later(() => import('../pages/incidents/edit.tsx'), 'EditIncident'), 'updateIncident'],
  ['/maintenance', later(() => import('../pages/maintenance/list.tsx'), 'MaintenanceList')],
  [
    '/maintenance/new',
    later(() => import('../pages/maintenance/edit.tsx'), 'NewMaintenance'),
    'createMaintenanceWindow',
  ],
  [
    '/maintenance/:id',
    later(() => import('../pages/maintenance/edit.tsx'), 'EditMaintenance'),
    'updateMaintenanceWindow',
  ],
  ['/status-pages', later(() => import('../pages/status-pages/list.tsx'), 'StatusPageList')],
  ['/status-pages/new', later(() => import('../pages/status-pages/new.tsx'), 'NewStatusPage'), 'createStatusPage'],
  ['/status-pages/:id', later(() => import('../pages/status-pages/editor.tsx'), 'StatusPageEditor')],
  ['/channels', later(() => import('../pages/channels/list.tsx'), 'ChannelList')],
  ['/channels/new', later(() => import('../pages/channels/edit.tsx'), 'NewChannel'), 'createChannel'],
  ['/channels/:id', later(() => import('../pages/channels/channel.tsx'), 'ChannelPage')],
  ['/channels/:id/edit', later(() => import('../pages/channels/edit.tsx'), 'EditChannel'), 'updateChannel'],
  ['/probes', later(() => import('../pages/probes.tsx'), 'Probes')],
  ['/apps', later(() => import('../pages/apps/list.tsx'), 'AppList')],
  ['/apps/:id', later(() => import('../pages/apps/app.tsx'), 'AppPage')],
  ['/apps/:id/traces', later(() => import('../pages/observe/traces.tsx'), 'Traces')],
  ['/apps/:id/traces/:traceId', later(() => import('../pages/observe/trace.tsx'), 'TracePage')],
  ['/apps/:id/logs', later(() => import('../pages/observe/logs.tsx'), 'Logs')],
  ['/apps/:id/metrics', later(() => import('../pages/observe/metrics.tsx'), 'Metrics')],
  ['/apps/:id/rum', later(() => import('../pages/observe/rum.tsx'), 'Rum')],
  ['/apps/:id/rum/:sessionId', later(() => import('../pages/observe/visit.tsx'), 'VisitPage')],
  ['/traces/:traceId', later(() => import('../pages/observe/find-trace.tsx'), 'FindTrace')],
  ['/tokens', later(() => import('../pages/tokens.tsx'), 'Tokens')],
  ['/team', later(() => import('../pages/team.tsx'), 'TeamPage')],
  ['/team/audit-log', later(() => import('../pages/audit-log.tsx'), 'AuditLog')],
  ['/account', later(() => import('../pages/account.tsx'), 'Account')],
]

export function Routes() {
  const { path } = useLocation()
  const may = useMay()
  for (const [pattern, Found, call] of pages) {
    const found = matchPath(pattern, path)
    if (found === undefined) continue
    if (call !== undefined && !may(call)) return <NotForThem call={call} />
    return (
      <Suspense fallback={<Waiting />}>
        <Found key={path} {...found} />
      </Suspense>
    )
  }
  return (
    <Page title="There is no such page">
      <Empty
        icon="search"
        title="The address leads nowhere"
        action={
          <div className="actions">
            <ButtonLink to="/monitors" kind="primary">
              Go to the monitors
            </ButtonLink>
            <Button icon="search" onClick={openPalette}>
              Search
            </Button>
          </div>
        }
      >
        What you look for may have been moved or deleted. A search finds it by a part of its name.
      </Empty>
    </Page>
  )
}

function NotForThem({ call }: { call: RouteName }) {
  const { role } = useSession()
  return (
    <Page title="Not for your role">
      <Empty
        icon="team"
        title={`You are ${role} of this team`}
        action={
          <ButtonLink to="/monitors" kind="primary">
            Go to the monitors
          </ButtonLink>
        }
      >
        It takes the role of {roleFor(call)}, or a higher one. An owner or admin can give it to you.
      </Empty>
    </Page>
  )
}

function Waiting() {
  return (
    <div className="page">
      <Skeleton lines={6} />
    </div>
  )
}
