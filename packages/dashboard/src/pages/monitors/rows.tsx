import type { Monitor } from '@watchpost/contract'
import { type KeyboardEvent, memo, useEffect, useRef, useState } from 'react'
import { milliseconds, percent } from '../../core/format.ts'
import { Link, navigate } from '../../core/router.tsx'
import { stateOf, stateWord } from '../../core/watched.ts'
import { MonitorDot, MonitorState } from '../../ui/monitor-state.tsx'
import { Ago } from '../../ui/time.tsx'
import { LastDay } from './last-day.tsx'

const beyond = 8
/** Pixels between the list and the end of the page, which therefore does not scroll beside it. */
const beneath = 26
const narrow = matchMedia('(max-width: 820px)')

/**
 * Only the rows in sight are there: ten thousand scroll like ten.
 * @param picked undefined for who may change nothing
 * @param choosing whether rows are there to be chosen where there is no room for both: on a phone
 */
export function Rows(props: {
  found: Monitor[]
  picked: ReadonlySet<number> | undefined
  choosing?: boolean
  onPick: (picked: ReadonlySet<number>) => void
}) {
  const { found, picked, choosing = false, onPick } = props
  const ref = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const [room, setRoom] = useState<number>()
  const [rowHeight, setRowHeight] = useState(narrow.matches ? 56 : 46)
  const [at, setAt] = useState<number>()

  useEffect(() => {
    const box = ref.current
    if (box === null) return
    const measure = () => {
      setHeight(box.clientHeight)
      setRowHeight(narrow.matches ? 56 : 46)
      setRoom(Math.max(240, innerHeight - (box.getBoundingClientRect().top + scrollY) - beneath))
    }
    const watch = new ResizeObserver(measure)
    watch.observe(box)
    // What comes and goes above it takes room, too.
    watch.observe(document.body)
    window.addEventListener('resize', measure)
    return () => {
      watch.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [])

  const from = Math.max(0, Math.floor(top / rowHeight) - beyond)
  const to = Math.min(found.length, Math.ceil((top + height) / rowHeight) + beyond)
  const go = (index: number) => {
    const next = Math.max(0, Math.min(found.length - 1, index))
    setAt(next)
    const box = ref.current
    if (box === null) return
    if (next * rowHeight < box.scrollTop) box.scrollTop = next * rowHeight
    else if ((next + 1) * rowHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = (next + 1) * rowHeight - box.clientHeight
    }
  }
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.target !== ref.current) return
    const page = Math.max(1, Math.floor(height / rowHeight) - 1)
    const moves: Record<string, number> = {
      ArrowDown: (at ?? -1) + 1,
      ArrowUp: (at ?? 1) - 1,
      PageDown: (at ?? 0) + page,
      PageUp: (at ?? 0) - page,
      Home: 0,
      End: found.length - 1,
    }
    const row = at === undefined ? undefined : found[at]
    if (event.key in moves) go(moves[event.key] as number)
    else if (event.key === 'Enter' && row !== undefined) navigate(`/monitors/${row.id}`)
    else if (event.key === ' ' && row !== undefined && picked !== undefined) pick(row.id)
    else return
    event.preventDefault()
  }
  const pick = (id: number) => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    onPick(next)
  }
  const all = picked !== undefined && found.length > 0 && found.every(({ id }) => picked.has(id))
  return (
    <div className={`card flush ${picked === undefined ? 'no-select' : choosing ? 'choosing' : ''}`}>
      <div className="rows-head">
        {picked !== undefined && (
          <label className="pick-all">
            <input
              type="checkbox"
              aria-label="Choose all that are listed"
              checked={all}
              onChange={() => onPick(all ? new Set() : new Set(found.map(({ id }) => id)))}
            />
            <span aria-hidden="true">Choose all</span>
          </label>
        )}
        <span>Status</span>
        <span>Name</span>
        <span className="last-day">24 hours</span>
        <span>Type</span>
        <span className="end">Response</span>
        <span className="end" title="Of the last 24 hours">
          Uptime
        </span>
        <span className="end">Checked</span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a list of ten thousand options cannot be a select */}
      <div
        ref={ref}
        className="rows"
        role="region"
        aria-label="Monitors; arrow keys move, Enter opens"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the arrow keys move in it
        tabIndex={0}
        style={{ maxHeight: room }}
        onScroll={event => setTop(event.currentTarget.scrollTop)}
        onKeyDown={press}
      >
        <div className="rows-inner" style={{ height: found.length * rowHeight }}>
          {found.slice(from, to).map((monitor, index) => (
            <Row
              key={monitor.id}
              monitor={monitor}
              top={(from + index) * rowHeight}
              at={from + index === at}
              picked={picked?.has(monitor.id)}
              onPick={pick}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  monitor: Monitor
  top: number
  at: boolean
  picked: boolean | undefined
  onPick: (id: number) => void
}

const Row = memo(
  function Row({ monitor, top, at, picked, onPick }: RowProps) {
    const { id, name, target, type, in_maintenance, response_time_ms, uptime_24h, last_check_at } = monitor
    const state = stateOf(monitor)
    return (
      <div className={at ? 'row at' : 'row'} style={{ top }}>
        {picked !== undefined && (
          <label className="pick">
            <input type="checkbox" aria-label={`Choose ${name}`} checked={picked} onChange={() => onPick(id)} />
          </label>
        )}
        <RowState monitor={monitor} note={in_maintenance ? 'planned' : undefined} />
        <span className="row-name">
          <Link to={`/monitors/${id}`}>{name}</Link>
          <span>{target}</span>
        </span>
        {!narrow.matches && <LastDay monitor={monitor} />}
        <span className="type">{type}</span>
        <span className="end number">
          {narrow.matches && state !== 'online' ? stateWord(state) : milliseconds(response_time_ms)}
        </span>
        <span className="end number uptime">{percent(uptime_24h)}</span>
        <span className="end quiet checked">
          <Ago at={last_check_at} />
        </span>
      </div>
    )
  },
  (before, after) =>
    before.monitor === after.monitor &&
    before.top === after.top &&
    before.at === after.at &&
    before.picked === after.picked &&
    before.onPick === after.onPick,
)

function RowState(props: { monitor: Monitor; note: string | undefined }) {
  return narrow.matches ? <MonitorDot {...props} /> : <MonitorState {...props} />
}
