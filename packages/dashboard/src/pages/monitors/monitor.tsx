import type { CheckTypeName, Monitor, MonitorTest } from '@watchpost/contract'
import { useCallback } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { type CheckedEvent, useEvent } from '../../core/live.ts'
import { monitors } from '../../core/monitors.ts'
import { Link } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { MonitorState } from '../../ui/monitor-state.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Ago } from '../../ui/time.tsx'
import { Actions } from './actions.tsx'
import { Checks } from './checks.tsx'
import { Decided } from './decided.tsx'
import { Figures } from './figures.tsx'
import { History } from './history.tsx'
import { HostCards } from './host.tsx'
import { ResponseTimes } from './response-times.tsx'
import { Settings } from './settings.tsx'
import { Told } from './told.tsx'
import { TryButton, TryResult, useTrial } from './try.tsx'
import { Unwatched, useSilence } from './unwatched.tsx'
import { Why } from './why.tsx'

export function MonitorPage({ id }: { id: string }) {
  const asked = useQuery(`monitor/${id}/`, async () => (await api.getMonitor({ params: { id } })).data)
  // Who comes from the list knows it already.
  const known = asked.data === undefined ? { ...asked, data: monitors.get(Number(id)) } : asked
  const why = useQuery(`monitor/${id}/explain`, async () => (await api.explainMonitor({ params: { id } })).data)
  const checked = useCallback(
    (event: CheckedEvent) => {
      if (event.monitor_id === Number(id)) invalidate(`monitor/${id}/`)
    },
    [id],
  )
  useEvent('monitor.checked', checked)
  const monitor = known.data
  useSilence(monitor)
  return (
    <Page
      title={monitor?.name ?? 'Monitor'}
      back={{ to: '/monitors', label: 'Monitors' }}
      aside={
        monitor && <MonitorState monitor={monitor} note={monitor.in_maintenance ? 'planned maintenance' : undefined} />
      }
      actions={monitor && <Actions monitor={monitor} />}
    >
      <Loaded of={known}>
        {shown => (
          <>
            <Whereto monitor={shown} />
            <Loaded of={why} lines={2}>
              {explanation => (
                <>
                  <Unwatched explanation={explanation} monitor={shown} />
                  <Why explanation={explanation} monitor={shown} />
                  <Decided explanation={explanation} />
                </>
              )}
            </Loaded>
            <Figures monitor={shown} />
            {shown.type === 'server' ? <HostCards id={id} host={shown.host} /> : <ResponseTimes id={id} />}
            <Card title="Ninety days">
              <History id={id} />
            </Card>
            <Checks id={id} />
            <div className="two">
              <Incidents id={shown.id} />
              <div className="stack">
                <Told id={shown.id} />
                <Settings monitor={shown} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Target({ monitor }: { monitor: Monitor }) {
  if (!/^https?:/.test(monitor.target)) return <code>{monitor.target}</code>
  return (
    <a className="text" href={monitor.target} target="_blank" rel="noreferrer">
      {monitor.target}
    </a>
  )
}

/** What is watched; whoever has just mended something need not wait for the next check. */
function Whereto({ monitor }: { monitor: Monitor }) {
  const may = useMay()
  const trial = useTrial()
  const { target, type, timeout, method, ssl_verify, options } = monitor
  const body = { target, type: type as CheckTypeName, timeout, method, ssl_verify, options }
  return (
    <>
      <div className="whereto">
        <span className="quiet">
          <Badge>{type}</Badge> <Target monitor={monitor} />
        </span>
        {may('testMonitor') && type !== 'server' && <TryButton small trial={trial} of={() => body as MonitorTest} />}
      </div>
      <TryResult trial={trial} />
    </>
  )
}

function Incidents({ id }: { id: number }) {
  const known = useQuery(`incidents/monitor/${id}`, async () => {
    return (await api.listIncidents({ query: { monitor_id: id, per_page: 8 } })).data
  })
  return (
    <Card title="Incidents">
      <Loaded of={known} lines={2}>
        {list =>
          list.length === 0 ? (
            <p className="quiet">None so far.</p>
          ) : (
            <ul className="plain-list">
              {list.map(incident => (
                <li key={incident.id}>
                  <Badge>{incident.status}</Badge>{' '}
                  <Link className="text" to={`/incidents/${incident.id}`}>
                    {incident.title}
                  </Link>{' '}
                  <span className="quiet">
                    <Ago at={incident.started_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}
