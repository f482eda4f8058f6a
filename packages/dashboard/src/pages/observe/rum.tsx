import type { RumErrorGroup, RumSession, RumVital } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery, useSteady } from '../../core/cache.ts'
import { count, duration, exactly, milliseconds, plural } from '../../core/format.ts'
import { Link, setQuery, useLocation } from '../../core/router.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { AppFrame } from '../apps/frame.tsx'
import { type Range, RangePicker, useRange } from './range.tsx'
import { Further, useSlices } from './slices.tsx'
import { byPage, type PageVitals, rate, type VitalName, vitalNames, vitals, vitalText } from './vitals.ts'

/** What visitors meet: how quick pages are for them, what breaks, and their visits. */
export function Rum({ id }: { id: string }) {
  return <AppFrame id={id}>{() => <Visitors id={id} />}</AppFrame>
}

interface Asked {
  id: string
  range: Range
  page: string | null
  /** Fingerprint of the only error that is looked at. */
  error: string | null
}

function Visitors({ id }: { id: string }) {
  const { query } = useLocation()
  const range = useRange('24h')
  const page = query.get('page')
  const error = query.get('error')
  const asked = { id, range, page, error }
  return (
    <>
      <div className="toolbar">
        {page !== null && (
          <Button small icon="close" onClick={() => setQuery('page', undefined)}>
            {shortly(page)}
          </Button>
        )}
        {error !== null && (
          <Button small icon="close" onClick={() => setQuery('error', undefined)}>
            Only one error
          </Button>
        )}
        <RangePicker range={range} onRefresh={() => invalidate(`app/${id}/rum/`)} />
      </div>
      {error === null && (
        <>
          <Vitals {...asked} />
          <Pages {...asked} />
        </>
      )}
      <Errors {...asked} />
      <Visits {...asked} />
    </>
  )
}

const shortly = (page: string): string => URL.parse(page)?.pathname ?? page

function PageButton({ page }: { page: string }) {
  return (
    <button type="button" className="link page-link" title={page} onClick={() => setQuery('page', page)}>
      {shortly(page)}
      <span className="visually-hidden">: only this page</span>
    </button>
  )
}

/** Leads from an error to the visits that had it, in the time and on the page that are looked at. */
function VisitsOf(props: { error: RumErrorGroup; children: string; onClick?: () => void }) {
  const { path, query } = useLocation()
  const { fingerprint, session_count } = props.error
  if (session_count === 0 || query.get('error') !== null) return props.children
  query.set('error', fingerprint)
  return (
    <Link className="text" to={`${path}?${query}`} {...(props.onClick && { onClick: props.onClick })}>
      {props.children}
      <span className="visually-hidden">: those with this error</span>
    </Link>
  )
}

const only = ({ page, error = null }: { page: string | null; error?: string | null }) => ({
  ...(page === null ? {} : { page }),
  ...(error === null ? {} : { error }),
})

function Vitals({ id, range, page }: Asked) {
  const known = useSteady(
    useQuery(`app/${id}/rum/vitals/${range.key}/${page}`, async () => {
      const query = { ...range.read(), ...only({ page }), limit: 200 }
      return byPage((await api.listRumVitals({ params: { id }, query })).data)
    }),
  )
  return (
    <Card title="Web vitals, as three of four visitors have them" flush>
      <Loaded of={known} lines={4}>
        {pages =>
          pages.length === 0 ? (
            <Empty icon="apps" title="Nothing was measured in this time">
              The overview has a line of script for your pages: it measures them for those who visit.
            </Empty>
          ) : (
            <Table
              label="Web vitals"
              rows={pages.slice(0, 25).map(each => ({ id: each.page, ...each }))}
              columns={[
                { name: 'Page', cell: ({ page: url }) => <PageButton page={url} /> },
                ...vitalNames.map<Column<PageVitals & { id: string }>>(name => ({
                  name,
                  minor: name === 'FCP' || name === 'TTFB',
                  cell: ({ of }) => <Vital name={name} vital={of[name]} />,
                })),
                { name: 'Measured', minor: true, end: true, cell: each => count(each.count) },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

/** What three of four visitors had, and how many of them had it good, middling and poor. */
function Vital({ name, vital }: { name: VitalName; vital: RumVital | undefined }) {
  if (vital === undefined) return <span className="quiet">–</span>
  const { p75, good, needs_improvement, poor } = vital
  const tone = rate(name, p75)
  const word = { good: 'good', warn: 'needs improvement', bad: 'poor' }[tone]
  const share = (part: number) => `${Math.round(part * 100)} %`
  return (
    <span
      className={`vital ${tone}`}
      title={`${vitals[name].label}: ${share(good)} good, ${share(needs_improvement)} middling, ${share(poor)} poor`}
    >
      <span className="number">
        {vitalText(name, p75)}
        <span className="visually-hidden">, {word}</span>
      </span>
      <span className="vital-bar" aria-hidden="true">
        <i className="good" style={{ width: `${good * 100}%` }} />
        <i className="warn" style={{ width: `${needs_improvement * 100}%` }} />
        <i className="bad" style={{ width: `${poor * 100}%` }} />
      </span>
    </span>
  )
}

function Pages({ id, range, page }: Asked) {
  const known = useSteady(
    useQuery(`app/${id}/rum/pages/${range.key}/${page}`, async () => {
      const query = { ...range.read(), ...only({ page }), limit: 25 }
      return (await api.listRumPages({ params: { id }, query })).data
    }),
  )
  return (
    <Card title="Pages, slowest first" flush>
      <Loaded of={known} lines={3}>
        {pages =>
          pages.length === 0 ? (
            <p className="notice">No page was loaded in this time.</p>
          ) : (
            <Table
              label="Pages"
              rows={pages.map(each => ({ id: each.page, ...each }))}
              columns={[
                { name: 'Page', cell: ({ page: url }) => <PageButton page={url} /> },
                { name: 'Loads', end: true, cell: each => count(each.count) },
                { name: 'p50', minor: true, end: true, cell: ({ p50 }) => milliseconds(p50) },
                { name: 'p75', end: true, cell: ({ p75 }) => <strong>{milliseconds(p75)}</strong> },
                { name: 'p95', minor: true, end: true, cell: ({ p95 }) => milliseconds(p95) },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

function Errors({ id, range, page, error }: Asked) {
  const [opened, setOpened] = useState<RumErrorGroup>()
  const key = `app/${id}/rum/errors/${range.key}/${page}/${error}`
  const { known, more, busy } = useSlices<RumErrorGroup>(key, cursor => {
    const query = { ...range.read(), ...only({ page, error }), limit: 25, ...(cursor ? { cursor } : {}) }
    return api.listRumErrors({ params: { id }, query })
  })
  return (
    <Card title="Errors by their cause" flush>
      <Loaded of={known} lines={3}>
        {({ rows, meta }) =>
          rows.length === 0 ? (
            <p className="notice">No error was told in this time.</p>
          ) : (
            <>
              <Table
                label="Errors"
                rows={rows.map(each => ({ id: each.fingerprint, ...each }))}
                columns={[
                  {
                    name: 'Error',
                    cell: error => (
                      <>
                        <button type="button" className="link" onClick={() => setOpened(error)}>
                          {error.name ?? 'Error'}
                        </button>
                        <span className="sub">{error.message}</span>
                      </>
                    ),
                  },
                  { name: 'Page', minor: true, cell: error => <PageButton page={error.page} /> },
                  { name: 'Times', end: true, cell: error => count(error.count) },
                  {
                    name: 'Visits',
                    end: true,
                    cell: error => <VisitsOf error={error}>{count(error.session_count)}</VisitsOf>,
                  },
                  { name: 'Last', end: true, cell: error => <Ago at={error.last_seen_at} /> },
                ]}
              />
              <Further meta={meta} busy={busy} onMore={more} />
            </>
          )
        }
      </Loaded>
      {opened !== undefined && (
        <Dialog title={opened.name ?? 'Error'} onClose={() => setOpened(undefined)} wide>
          <div className="stack">
            <p>{opened.message}</p>
            <p className="quiet">
              {plural(opened.count, 'time')} in{' '}
              <VisitsOf error={opened} onClick={() => setOpened(undefined)}>
                {plural(opened.session_count, 'visit')}
              </VisitsOf>
              , first {exactly(opened.first_seen_at)}, last {exactly(opened.last_seen_at)}, on {opened.page}
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
            <pre className="stack-trace" tabIndex={0}>
              {opened.stack ?? 'No stack was told.'}
            </pre>
          </div>
        </Dialog>
      )}
    </Card>
  )
}

/** Where a visitor came from, and with what. */
export const visitorText = ({ os, device, referrer }: RumSession): string =>
  [os, device, referrer && `from ${URL.parse(referrer)?.host ?? referrer}`].filter(Boolean).join(', ')

function Visits({ id, range, page, error }: Asked) {
  const key = `app/${id}/rum/sessions/${range.key}/${page}/${error}`
  const { known, more, busy } = useSlices<RumSession>(key, cursor => {
    const query = { ...range.read(), ...only({ page, error }), limit: 25, ...(cursor ? { cursor } : {}) }
    return api.listRumSessions({ params: { id }, query })
  })
  const such = error !== null ? 'Visits with this error' : page !== null ? 'Visits to this page' : 'Visits'
  const look = error === null ? '' : `?${new URLSearchParams({ error })}`
  return (
    <Card title={`${such}, newest first`} flush>
      <Loaded of={known} lines={3}>
        {({ rows, meta }) =>
          rows.length === 0 ? (
            <p className="notice">{error === null ? 'Nobody visited' : 'No visit had it'} in this time.</p>
          ) : (
            <>
              <Table
                label="Visits"
                rows={rows.map(each => ({ id: `${each.started_at} ${each.session_id}`, ...each }))}
                columns={[
                  {
                    name: 'Visitor',
                    cell: visit => (
                      <>
                        <Link className="main" to={`/apps/${id}/rum/${encodeURIComponent(visit.session_id)}${look}`}>
                          {visit.browser ?? 'Unknown browser'}
                        </Link>
                        <span className="sub">{visitorText(visit)}</span>
                      </>
                    ),
                  },
                  { name: 'Began', cell: visit => <Ago at={visit.started_at} /> },
                  {
                    name: 'Lasted',
                    minor: true,
                    cell: visit => duration((Date.parse(visit.last_seen_at) - Date.parse(visit.started_at)) / 1000),
                  },
                  { name: 'Pages', end: true, cell: visit => count(visit.page_count) },
                  { name: 'Events', minor: true, end: true, cell: visit => count(visit.event_count) },
                  {
                    name: 'Errors',
                    end: true,
                    cell: visit =>
                      visit.error_count === 0 ? '–' : <Badge tone="bad">{count(visit.error_count)}</Badge>,
                  },
                ]}
              />
              <Further meta={meta} busy={busy} onMore={more} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}
