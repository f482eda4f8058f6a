import {
  type CheckTypeName,
  type Explanation,
  type Monitor,
  type MonitorTest,
  uptimeStretches,
} from '@watchpost/contract'
import { useCallback, useMemo, useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, keep, useQuery } from '../../core/cache.ts'
import { serverNow } from '../../core/clock.ts'
import { label, milliseconds, percent, spaced } from '../../core/format.ts'
import { type CheckedEvent, useEvent } from '../../core/live.ts'
import { monitors } from '../../core/monitors.ts'
import { Link, navigate } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { stateOf } from '../../core/watched.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { MonitorState } from '../../ui/monitor-state.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Ago, Lasting } from '../../ui/time.tsx'
import { attempt } from '../../ui/toast.tsx'
import { Checks } from './checks.tsx'
import { Decided } from './decided.tsx'
import { History } from './history.tsx'
import { HostCards } from './host.tsx'
import { ResponseTimes } from './response-times.tsx'
import { Told } from './told.tsx'
import { TryButton, TryResult, useTrial } from './try.tsx'
import { isOverdue, Unwatched, useSilence } from './unwatched.tsx'

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

function Actions({ monitor }: { monitor: Monitor }) {
  const may = useMay()
  const [asking, setAsking] = useState(false)
  const { id, enabled } = monitor
  const toggle = () =>
    attempt(
      async () => {
        const { data } = await api.updateMonitor({ params: { id }, body: { enabled: !enabled } })
        monitors.put(data)
        keep(`monitor/${id}/`, data)
        invalidate(`monitor/${id}/explain`)
      },
      enabled ? 'Paused' : 'Resumed; a check is due at once',
    )
  return (
    <>
      {may('updateMonitor') && (
        <>
          <Button icon={enabled ? 'pause' : 'play'} onClick={toggle}>
            {enabled ? 'Pause' : 'Resume'}
          </Button>
          <span data-key="e">
            <ButtonLink to={`/monitors/${id}/edit`} icon="edit">
              Edit
            </ButtonLink>
          </span>
        </>
      )}
      {may('createMonitor') && monitor.type !== 'server' && (
        <ButtonLink to={`/monitors/new?like=${id}`} icon="copy">
          Duplicate
        </ButtonLink>
      )}
      {may('deleteMonitor') && (
        <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
          Delete
        </Button>
      )}
      {asking && (
        <Confirm
          title={`Delete ${monitor.name}?`}
          action="Delete for good"
          onConfirm={async () => {
            await api.deleteMonitor({ params: { id } })
            monitors.remove(id)
            navigate('/monitors')
          }}
          onClose={() => setAsking(false)}
        >
          Its history goes with it, and status pages show it no longer.
        </Confirm>
      )}
    </>
  )
}

/** Why it has the status it has; while it has none, that it is being looked at right now. */
function Why({ explanation, monitor }: { explanation: Explanation; monitor: Monitor }) {
  const { reasons, next_check_at, incident_id, offline_since, status } = explanation
  const unwatched = stateOf(monitor) === 'unwatched' || isOverdue(monitor, explanation)
  const tone = unwatched ? '' : status === 'offline' ? 'danger' : status === 'pending' ? 'info' : ''
  return (
    <div className={tone === '' ? 'card' : `notice ${tone}`} role="status">
      {status === 'pending' && monitor.enabled && !unwatched && (
        <p>
          <strong>The first check is on its way.</strong>
        </p>
      )}
      <ul className="plain-list">
        {reasons.map(reason => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className="quiet">
        {offline_since !== null && (
          <>
            Offline for <Lasting since={offline_since} />.{' '}
          </>
        )}
        {next_check_at !== null && (
          <>
            {Date.parse(next_check_at) < serverNow() ? 'Was due' : 'Next check'} <Ago at={next_check_at} />.{' '}
          </>
        )}
        {incident_id !== null && (
          <Link className="text" to={`/incidents/${incident_id}`}>
            Incident {incident_id}
          </Link>
        )}
      </p>
    </div>
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

const days: Record<string, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }

function Figures({ monitor }: { monitor: Monitor }) {
  const { id } = monitor
  const known = useQuery(`monitor/${id}/figures`, async () => {
    const now = Date.now()
    const answers = await Promise.all(
      uptimeStretches.map(stretch => {
        const length = days[stretch] ?? 1
        const from = new Date(now - length * 86_400_000).toISOString()
        const resolution = length <= 1 ? '5m' : length <= 7 ? '1h' : '1d'
        return api.getMonitorMetrics({ params: { id }, query: { from, resolution } })
      }),
    )
    return answers.map(({ data }, index) => ({ stretch: uptimeStretches[index] ?? '24h', ...data }))
  })
  return (
    <div className="card">
      <dl className="facts">
        <div>
          <dt>{monitor.type === 'server' ? 'Last heard' : 'Last response'}</dt>
          <dd>
            {monitor.type === 'server' ? (
              <Ago at={monitor.last_check_at} />
            ) : (
              <>
                {milliseconds(monitor.response_time_ms)}
                <small>
                  <Ago at={monitor.last_check_at} none="not checked yet" />
                </small>
              </>
            )}
          </dd>
        </div>
        {uptimeStretches.map(stretch => {
          const one = known.data?.find(each => each.stretch === stretch)
          return (
            <div key={stretch}>
              <dt>Uptime, {spaced(stretch)}</dt>
              <dd>
                {percent(one?.uptime)}
                <small>
                  {one === undefined ? ' ' : one.coverage === 0 ? 'not watched' : `${percent(one.coverage)} watched`}
                </small>
              </dd>
            </div>
          )
        })}
      </dl>
    </div>
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

/** A setting in words where it is a word or a list of them; without what is nobody's who looks over a shoulder. */
function said(name: string, value: unknown): string {
  if (name === 'headers') return Object.keys(value as object).join(', ')
  if (name === 'auth') {
    const { type, username } = value as { type: string; username?: string }
    return username === undefined ? type : `${type}, as ${username}`
  }
  if (typeof value === 'string') return value
  const words = Array.isArray(value) && value.every(each => typeof each !== 'object')
  return words ? value.join(', ') : JSON.stringify(value)
}

function Settings({ monitor }: { monitor: Monitor }) {
  const rows = useMemo(() => {
    const { interval, timeout, method, ssl_verify, is_active, type, options } = monitor
    return Object.entries({
      interval: `${interval} s`,
      timeout: `${timeout} s`,
      ...(type.startsWith('http') ? { method } : {}),
      ...(ssl_verify ? {} : { ssl_verify }),
      ...(is_active ? {} : { is_active }),
      ...options,
    })
  }, [monitor])
  return (
    <Card title="Settings">
      <dl className="settings">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{label(name)}</dt>
            <dd>{said(name, value)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
