import type { RumVisit, RumVisitEvent } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { count, duration, exactly, milliseconds } from '../../core/format.ts'
import { Link } from '../../core/router.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { attempt } from '../../ui/toast.tsx'
import { AppFrame } from '../apps/frame.tsx'
import { Attributes } from './attributes.tsx'
import { visitorText } from './rum.tsx'
import { factsOf, titleOf, toneOf } from './visit-event.ts'

/** What somebody met in one visit, in its order, and the traces of what the page asked for meanwhile. */
export function VisitPage({ id, sessionId }: { id: string; sessionId: string }) {
  return <AppFrame id={id}>{() => <VisitView id={id} sessionId={sessionId} />}</AppFrame>
}

const atOnce = 100

function VisitView({ id, sessionId }: { id: string; sessionId: string }) {
  const ask = async (cursor?: string) =>
    (
      await api.getRumSession({
        params: { id, session_id: sessionId },
        query: { limit: atOnce, ...(cursor && { cursor }) },
      })
    ).data
  const known = useQuery(`app/${id}/visit/${sessionId}`, () => ask())
  return (
    <Loaded of={known} lines={8}>
      {/* What was read further belongs to the first part that it followed. */}
      {visit => <Shown key={known.at} first={visit} ask={ask} />}
    </Loaded>
  )
}

function Shown(props: { first: RumVisit; ask: (cursor: string) => Promise<RumVisit> }) {
  const { first, ask } = props
  const [parts, setParts] = useState([first])
  const [busy, setBusy] = useState(false)
  const events = parts.flatMap(part => part.events)
  const cursor = parts.at(-1)?.next_cursor ?? null
  const more = async () => {
    if (cursor === null) return
    setBusy(true)
    await attempt(async () => setParts([...parts, await ask(cursor)]))
    setBusy(false)
  }
  return (
    <>
      <Facts visit={first} />
      <Card title="What happened">
        {events.length === 0 ? (
          <p className="quiet">Its events are gone: they are kept for a while, visits for longer.</p>
        ) : (
          <ol className="timeline">
            {events.map((event, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added behind the others
              <Happened key={at} event={event} from={events[0]?.timestamp ?? event.timestamp} />
            ))}
          </ol>
        )}
        {parts.some(part => !part.complete) && <p className="quiet">Not everything could be read in time.</p>}
        {cursor !== null && (
          <div className="pager">
            <span />
            <Button small busy={busy} onClick={more}>
              Show what followed
            </Button>
          </div>
        )}
      </Card>
    </>
  )
}

function Facts({ visit }: { visit: RumVisit }) {
  const { started_at, last_seen_at } = visit
  const facts = {
    Lasted: duration((Date.parse(last_seen_at) - Date.parse(started_at)) / 1000),
    Pages: count(visit.page_count),
    Events: count(visit.event_count),
    Errors: count(visit.error_count),
  }
  return (
    <Card title={visit.browser ?? 'Unknown browser'} actions={<span className="quiet">{exactly(started_at)}</span>}>
      <div className="stack">
        <p className="quiet">
          {visitorText(visit)} <code>{visit.session_id}</code>
        </p>
        <dl className="facts">
          {Object.entries(facts).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={name === 'Errors' && visit.error_count > 0 ? 'bad' : ''}>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  )
}

function Happened({ event, from }: { event: RumVisitEvent; from: string }) {
  const { type, timestamp, page, trace_id, stack } = event
  return (
    <li>
      <Badge tone={toneOf(event)}>{type.replaceAll('_', ' ')}</Badge> <strong>{titleOf(event)}</strong>{' '}
      <span className="quiet">
        <time dateTime={timestamp} title={exactly(timestamp)}>
          after {milliseconds(Date.parse(timestamp) - Date.parse(from))}
        </time>
        {type !== 'page_load' && ` on ${URL.parse(page)?.pathname ?? page}`}
      </span>
      {trace_id !== null && (
        <>
          {' '}
          <Link className="text" to={`/traces/${trace_id}`}>
            Show its trace
          </Link>
        </>
      )}
      <Attributes title="Details" of={factsOf(event)} />
      {stack !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        <pre className="stack-trace" tabIndex={0}>
          {stack}
        </pre>
      )}
    </li>
  )
}
