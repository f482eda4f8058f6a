import type { LogEntry, Trace, TraceSpan } from '@watchpost/contract'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { exactly, milliseconds, plural } from '../../core/format.ts'
import { Link, navigate } from '../../core/router.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { AppFrame } from '../apps/frame.tsx'
import { Attributes } from './attributes.tsx'
import { LogLines } from './log-lines.tsx'
import { unfolded, type Waterfall, type WaterfallRow, waterfallOf } from './waterfall.ts'

/** A trace as a waterfall, with what was logged meanwhile. */
export function TracePage({ id, traceId }: { id: string; traceId: string }) {
  return <AppFrame id={id}>{() => <TraceView id={id} traceId={traceId} />}</AppFrame>
}

function TraceView({ id, traceId }: { id: string; traceId: string }) {
  const known = useQuery(`app/${id}/trace/${traceId}`, async () => {
    return (await api.getTrace({ params: { id, trace_id: traceId } })).data
  })
  const logs = useQuery(`app/${id}/trace-logs/${traceId}`, async () => {
    return (await api.listLogs({ params: { id }, query: { trace_id: traceId, limit: 200 } })).data.toReversed()
  })
  return (
    <Loaded of={known} lines={8}>
      {trace => (
        <>
          <Drawn id={id} trace={trace} logs={logs.data ?? []} />
          <Card title="Logs of this trace" flush>
            <Loaded of={logs} lines={3}>
              {entries =>
                entries.length === 0 ? (
                  <p className="notice">Nothing was logged with the id of this trace.</p>
                ) : (
                  <LogLines entries={entries} id={id} />
                )
              }
            </Loaded>
          </Card>
        </>
      )}
    </Loaded>
  )
}

/** More rows than anybody reads, and as many as a browser draws at once. */
const most = 1000

function Drawn({ id, trace, logs }: { id: string; trace: Trace; logs: LogEntry[] }) {
  const waterfall = useMemo(() => waterfallOf(trace.spans), [trace])
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<string>()
  const [limit, setLimit] = useState(most)
  const { rows, services, startedAt, durationMs } = waterfall
  const shown = unfolded(rows, folded)
  const errors = rows.filter(({ span }) => span.status === 'error').length
  const fold = (row: WaterfallRow, closed: boolean) => {
    const next = new Set(folded)
    if (closed && row.below > 0) next.add(row.span.span_id)
    else next.delete(row.span.span_id)
    setFolded(next)
  }
  return (
    <Card
      title={rows[0]?.span.name ?? 'Trace'}
      flush
      actions={
        <span className="quiet">
          {exactly(startedAt)} · <strong>{milliseconds(durationMs)}</strong> · {plural(rows.length, 'span')}
          {!trace.complete && ' of more'}
          {errors > 0 && (
            <>
              {' '}
              <Badge tone="bad">{plural(errors, 'error')}</Badge>
            </>
          )}
        </span>
      }
    >
      {!trace.complete && (
        <p className="notice warn" role="status">
          <strong>This is not the whole trace.</strong> It is larger than what is read at once: 50,000 spans, or 16 MiB.
          It may have begun earlier and taken longer, and a span whose parent is missing stands by itself.
        </p>
      )}
      <div className="trace-head">
        <span className="legend">
          {services.map((service, at) => (
            <span key={service}>
              <i className={`series-${(at % 8) + 1}`} />
              {service}
            </span>
          ))}
        </span>
        <code className="quiet">{trace.trace_id}</code>
      </div>
      <div className="waterfall-scale" aria-hidden="true">
        <span />
        <span>
          {[0, 0.25, 0.5, 0.75, 1].map(part => (
            <i key={part}>{milliseconds(durationMs * part)}</i>
          ))}
        </span>
      </div>
      <ol className="waterfall" onKeyDown={moveFocus}>
        {shown.slice(0, limit).map(row => (
          <SpanRow
            key={row.span.span_id}
            row={row}
            waterfall={waterfall}
            folded={folded.has(row.span.span_id)}
            onFold={closed => fold(row, closed)}
            opened={opened === row.span.span_id}
            onOpen={() => setOpened(opened === row.span.span_id ? undefined : row.span.span_id)}
          >
            <SpanDetails id={id} span={row.span} logs={logs.filter(each => each.span_id === row.span.span_id)} />
          </SpanRow>
        ))}
      </ol>
      {shown.length > limit && (
        <div className="pager">
          <span>{plural(shown.length - limit, 'more span')}</span>
          <Button small onClick={() => setLimit(limit + most)}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}

/** The arrow keys move from span to span. */
function moveFocus(event: KeyboardEvent<HTMLOListElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.span-row')]
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = all[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (at === -1 || next === undefined) return
  event.preventDefault()
  next.focus()
}

function SpanRow(props: {
  row: WaterfallRow
  waterfall: Waterfall
  folded: boolean
  onFold: (folded: boolean) => void
  opened: boolean
  onOpen: () => void
  children: React.ReactNode
}) {
  const { row, waterfall, folded, onFold, opened, onOpen, children } = props
  const { span, depth, below, left, width } = row
  const bad = span.status === 'error'
  const colour = (waterfall.services.indexOf(span.service) % 8) + 1
  return (
    <li>
      {below > 0 && (
        <button
          type="button"
          className="fold"
          tabIndex={-1}
          style={{ left: 8 + Math.min(depth, 12) * 14 }}
          aria-label={`${folded ? 'Show' : 'Hide'} the ${plural(below, 'span')} below ${span.name}`}
          aria-expanded={!folded}
          onClick={() => onFold(!folded)}
        >
          <Icon name={folded ? 'forward' : 'down'} size={13} />
        </button>
      )}
      <button
        type="button"
        className="span-row"
        aria-expanded={opened}
        onClick={onOpen}
        onKeyDown={event => {
          if (event.key === 'ArrowLeft') onFold(true)
          else if (event.key === 'ArrowRight') onFold(false)
        }}
      >
        <span className="span-name" style={{ paddingLeft: 28 + Math.min(depth, 12) * 14 }}>
          {bad && <Icon name="incidents" size={13} />}
          <span className={bad ? 'bad' : ''}>{span.name}</span>
          <span className="quiet">{span.service}</span>
        </span>
        <span className="span-time">
          <i
            className={bad ? 'bad' : `series-${colour}`}
            style={{ left: `${Math.min(left, 99.5)}%`, width: `max(3px, ${Math.min(width, 100 - left)}%)` }}
          />
          <em className={placeOf(left, width)} style={sideOf(left, width)}>
            {milliseconds(span.duration_ms)}
          </em>
        </span>
      </button>
      {opened && children}
    </li>
  )
}

/** The length is written where there is room: behind the bar, before it, or on it. */
function placeOf(left: number, width: number): 'behind' | 'before' | 'on' {
  if (left + width <= 70) return 'behind'
  return left > 30 ? 'before' : 'on'
}

function sideOf(left: number, width: number) {
  const place = placeOf(left, width)
  if (place === 'behind') return { left: `calc(${left + width}% + 6px)` }
  return { right: place === 'before' ? `calc(${100 - left}% + 6px)` : `calc(${100 - left - width}% + 8px)` }
}

function SpanDetails({ id, span, logs }: { id: string; span: TraceSpan; logs: LogEntry[] }) {
  const { kind, status, status_message, attributes, resource, scope, events, links } = span
  const ask = (key: string, value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    navigate(`/apps/${id}/traces?attr=${encodeURIComponent(`${key}=${text}`)}`)
  }
  return (
    <div className="span-details">
      <p className="quiet">
        <Badge tone={status === 'error' ? 'bad' : status === 'ok' ? 'good' : 'quiet'}>{status}</Badge> {kind} ·{' '}
        {exactly(span.started_at)} · {milliseconds(span.duration_ms)}
        {scope.name !== '' && ` · ${scope.name} ${scope.version}`} · <code>{span.span_id}</code>
      </p>
      {status_message !== '' && <p className="notice danger">{status_message}</p>}
      {events.map((event, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no name of their own, and stay in their order
        <div key={at} className="span-event">
          <Attributes
            title={`${event.name} after ${milliseconds(Date.parse(event.timestamp) - Date.parse(span.started_at))}`}
            of={event.attributes}
          />
        </div>
      ))}
      <Attributes title="Attributes" of={attributes} onAsk={ask} />
      <Attributes title="Resource" of={resource} onAsk={ask} />
      {links.length > 0 && (
        <p>
          Linked:{' '}
          {links.map(link => (
            <Link key={link.span_id} className="text" to={`/apps/${id}/traces/${link.trace_id}`}>
              {link.trace_id.slice(0, 12)}…
            </Link>
          ))}
        </p>
      )}
      {logs.length > 0 && (
        <section className="attribute-list">
          <h3>Logged in this span</h3>
          <LogLines entries={logs} id={id} plain />
        </section>
      )}
    </div>
  )
}
