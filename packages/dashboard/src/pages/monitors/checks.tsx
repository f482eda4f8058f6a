import type { CheckRecord, Timings } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery, useSteady } from '../../core/cache.ts'
import { exactly, milliseconds } from '../../core/format.ts'
import { Link } from '../../core/router.tsx'
import { Status } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { phaseKeys, phases } from './region-lines.ts'

export function Checks({ id }: { id: string }) {
  const [status, setStatus] = useState('')
  const [page, setPage] = useState(1)
  const known = useSteady(
    useQuery(`monitor/${id}/checks/${status}/${page}`, () =>
      api.listMonitorChecks({
        params: { id },
        query: { per_page: 15, page, ...(status === '' ? {} : { status }) },
      }),
    ),
  )
  return (
    <Card
      title="Checks"
      flush
      actions={
        <Segmented
          legend="Which checks"
          words={['', 'online', 'offline', 'error']}
          label={word => word || 'all'}
          value={status}
          onChange={word => {
            setStatus(word)
            setPage(1)
          }}
        />
      }
    >
      <Loaded of={known}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="notice">{status === '' ? 'No check has come in yet.' : `None that was ${status}.`}</p>
          ) : (
            <>
              <Table
                label="Checks"
                rows={data.map(check => ({ id: check.run_id, ...check }) as CheckRecord & { id: string })}
                columns={[
                  { name: 'Result', cell: check => <Result check={check} /> },
                  { name: 'Checked', cell: check => <Ago at={check.checked_at} /> },
                  ...(data.some(({ timings }) => timings !== null)
                    ? [
                        {
                          name: 'Phases',
                          minor: true,
                          cell: (check: CheckRecord) => <Phases timings={check.timings} />,
                        },
                      ]
                    : []),
                  {
                    name: 'Probe',
                    minor: true,
                    cell: check => (
                      <>
                        {check.probe ?? '–'}
                        {check.region !== null && check.region !== 'default' && (
                          <span className="sub">{check.region}</span>
                        )}
                      </>
                    ),
                  },
                  ...(data.some(({ trace_id }) => trace_id !== null)
                    ? [
                        {
                          name: 'Trace',
                          minor: true,
                          cell: (check: CheckRecord) => (check.trace_id === null ? null : <TraceLink check={check} />),
                        },
                      ]
                    : []),
                  {
                    name: 'Response',
                    end: true,
                    cell: check => <span className="number">{milliseconds(check.response_time_ms)}</span>,
                  },
                ]}
              />
              <div className="pager">
                <span className="legend">
                  {data.some(({ timings }) => timings !== null) &&
                    phaseKeys.map(phase => (
                      <span key={phase}>
                        <i className={`phase-${phase}`} />
                        {phases[phase]}
                      </span>
                    ))}
                </span>
                <Pager meta={meta} onPage={setPage} />
              </div>
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function Result({ check }: { check: CheckRecord }) {
  return (
    <>
      <Status word={check.status} note={check.error_kind ?? undefined} />
      {check.error_message !== null && <span className="sub">{check.error_message}</span>}
      {check.trace_id !== null && (
        <span className="sub narrow-only">
          <TraceLink check={check} />
        </span>
      )}
    </>
  )
}

function TraceLink({ check }: { check: CheckRecord }) {
  return (
    <Link to={`/traces/${check.trace_id}`} className="text">
      Trace
      <span className="visually-hidden"> of the check of {exactly(check.checked_at)}</span>
    </Link>
  )
}

/** How the time was spent, drawn to scale. */
export function Phases({ timings }: { timings: Timings | null }) {
  const parts = phaseKeys.map(phase => ({ phase, ms: timings?.[phase] ?? 0 }))
  const whole = parts.reduce((sum, { ms }) => sum + ms, 0)
  if (whole === 0) return <span className="quiet">–</span>
  let x = 0
  const said = parts.filter(({ ms }) => ms > 0).map(({ phase, ms }) => `${phases[phase]} ${milliseconds(ms)}`)
  return (
    <span className="phases" title={said.join(', ')}>
      <svg
        width="100%"
        height="8"
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        role="img"
        aria-label={said.join(', ')}
      >
        {parts.map(({ phase, ms }) => {
          const width = (ms / whole) * 100
          const from = x
          x += width
          return <rect key={phase} className={`phase-${phase}`} x={from} width={width} height="8" />
        })}
      </svg>
    </span>
  )
}
