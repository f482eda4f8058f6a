import type { RumVisit, RumVisitEvent } from '@watchpost/contract'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { count, duration, exactly, milliseconds } from '../../core/format.ts'
import { Link, useLocation } from '../../core/router.tsx'
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
/** Parts that are read at most to come to an error. */
const mostParts = 20

function VisitView({ id, sessionId }: { id: string; sessionId: string }) {
  const error = useLocation().query.get('error')
  const arrived = useRef(false)
  const ask = async (cursor?: string) =>
    (
      await api.getRumSession({
        params: { id, session_id: sessionId },
        query: { limit: atOnce, ...(cursor && { cursor }) },
      })
    ).data
  const upToIt = async () => {
    let visit = await ask()
    for (let part = 1; part < mostParts && error !== null; part++) {
      if (visit.next_cursor === null || visit.events.some(isIt(error))) break
      const next = await ask(visit.next_cursor)
      visit = { ...next, events: [...visit.events, ...next.events], complete: visit.complete && next.complete }
    }
    return visit
  }
  const known = useQuery(`app/${id}/visit/${sessionId}/${error}`, upToIt)
  return (
    <Loaded of={known} lines={8}>
      {/* What was read further belongs to the first part that it followed. */}
      {visit => <Shown key={known.at} first={visit} ask={ask} error={error} arrived={arrived} />}
    </Loaded>
  )
}

const isIt = (error: string | null) => (event: RumVisitEvent) => error !== null && event.fingerprint === error

function Shown(props: {
  first: RumVisit
  ask: (cursor: string) => Promise<RumVisit>
  error: string | null
  /** Whether the error that led here was gone to already. */
  arrived: RefObject<boolean>
}) {
  const { first, ask, error, arrived } = props
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
  const list = useRef<HTMLOListElement>(null)
  const begun = events[0]?.timestamp ?? ''
  const found = events.filter(isIt(error))
  const goTo = (turn: number) => {
    const place = list.current?.querySelectorAll<HTMLElement>('.found')[turn]
    place?.focus({ preventScroll: true })
    place?.scrollIntoView({ block: 'center' })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when one comes here
  useEffect(() => {
    if (!arrived.current) goTo(0)
    arrived.current = true
  }, [])
  return (
    <>
      <Facts visit={first} />
      <Card title="What happened">
        {error !== null && found.length === 0 && events.length > 0 && (
          <p className="quiet">The error you came for is not among these events.</p>
        )}
        {events.length === 0 ? (
          <p className="quiet">Its events are gone: they are kept for a while, visits for longer.</p>
        ) : (
          <ol className="timeline" ref={list}>
            {events.map((event, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added behind the others
              <Happened key={at} event={event} from={begun} nth={found.indexOf(event)} of={found.length} onGo={goTo} />
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

function Happened(props: {
  event: RumVisitEvent
  from: string
  /** Its place among those that somebody came for; -1 of others. */
  nth: number
  of: number
  onGo: (nth: number) => void
}) {
  const { event, from, nth, of, onGo } = props
  const { type, timestamp, page, trace_id, stack } = event
  return (
    <li {...(nth >= 0 && { className: 'found', tabIndex: -1 })}>
      {nth >= 0 && (
        <p className="found-head">
          The error you came for{of > 1 && `, ${nth + 1}\u00a0of\u00a0${count(of)}`}
          {of > 1 && (
            <Button small onClick={() => onGo((nth + 1) % of)}>
              {nth + 1 < of ? 'Next' : 'First'}
            </Button>
          )}
        </p>
      )}
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
