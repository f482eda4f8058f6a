import { checkTypes, type Monitor } from '@watchpost/contract'
import { useDeferredValue, useMemo, useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { count, plural } from '../../core/format.ts'
import { monitors, useMonitors } from '../../core/monitors.ts'
import { Link, setQuery, useLocation } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { states, stateWord } from '../../core/watched.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Skeleton, Trouble } from '../../ui/state.tsx'
import { Bulk } from './bulk.tsx'
import { choose, type Order, tally } from './choose.ts'
import { FirstMonitor } from './first.tsx'
import { Rows } from './rows.tsx'

/** All monitors, however many; the search and the filters are in the address, so that they can be shared. */
export function MonitorList() {
  const all = useMonitors()
  const may = useMay()
  const { query } = useLocation()
  const text = query.get('q') ?? ''
  const status = query.get('status') ?? ''
  const type = query.get('type') ?? ''
  const order = (query.get('sort') ?? 'status') as Order
  const asked = useDeferredValue(text)
  const found = useMemo(
    () => choose(all.list, { text: asked, status, type, order: order in orders ? order : 'status' }),
    [all.list, asked, status, type, order],
  )
  const counts = useMemo(() => tally(all.list), [all.list])
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set())
  const chosen = useMemo(() => all.list.filter(({ id }) => picked.has(id)), [all.list, picked])
  const [choosing, setChoosing] = useState(false)
  const chooseNone = () => {
    setPicked(new Set())
    setChoosing(false)
  }

  const create = may('createMonitor') && (
    <ButtonLink to="/monitors/new" kind="primary" icon="plus">
      New monitor
    </ButtonLink>
  )
  // The machine of the probe beside the server is watched from the start, by nobody's wish.
  if (all.list.every(({ type: kind }) => kind === 'server') && !all.loading && all.error === undefined) {
    return (
      <Page title="Monitors">
        <FirstMonitor />
        {found.length > 0 && <Rows found={found} picked={undefined} onPick={setPicked} />}
      </Page>
    )
  }
  return (
    <Page title="Monitors" actions={create} wide>
      <OpenIncidents />
      <div className="summary">
        {states
          .filter(word => word !== 'unwatched' || counts[word] > 0 || status === word)
          .map(word => (
            <button
              key={word}
              type="button"
              aria-pressed={status === word}
              onClick={() => setQuery('status', status === word ? undefined : word)}
            >
              <span className={`dot ${word}`} aria-hidden="true" />
              <span>
                <b>{count(counts[word])}</b> {stateWord(word)}
              </span>
            </button>
          ))}
      </div>
      <div className="toolbar">
        <div className="search">
          <input
            type="search"
            aria-label="Search monitors"
            placeholder={`Search ${plural(all.total, 'monitor')}`}
            value={text}
            onChange={event => setQuery('q', event.target.value)}
          />
        </div>
        <select aria-label="Type" value={type} onChange={event => setQuery('type', event.target.value)}>
          <option value="">Every type</option>
          {[...checkTypes, 'server'].map(each => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <select aria-label="Order" value={order} onChange={event => setQuery('sort', event.target.value)}>
          {Object.entries(orders).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        {may('updateMonitor') && (
          <Button
            className="on-phones"
            aria-pressed={choosing}
            onClick={() => (choosing ? chooseNone() : setChoosing(true))}
          >
            Choose
          </Button>
        )}
        {all.loading && all.list.length > 0 && (
          <span className="quiet" role="status">
            {count(all.list.length)} of {count(all.total)} loaded…
          </span>
        )}
      </div>
      {chosen.length > 0 && <Bulk chosen={chosen} onDone={chooseNone} />}
      {all.error !== undefined && <Trouble error={all.error} again={() => monitors.reload()} />}
      {all.list.length === 0 && all.error === undefined ? (
        <Skeleton lines={8} />
      ) : found.length === 0 && all.list.length > 0 ? (
        <Empty icon="search" title="None of them">
          No monitor is like that. Change the search or the filters.
        </Empty>
      ) : (
        found.length > 0 && (
          <Rows
            found={found}
            picked={may('updateMonitor') ? picked : undefined}
            choosing={choosing}
            onPick={setPicked}
          />
        )
      )}
    </Page>
  )
}

const orders: Record<Order, string> = {
  status: 'Worst first',
  name: 'By name',
  response: 'Slowest first',
  uptime: 'Least uptime first',
  checked: 'Last checked first',
}

function OpenIncidents() {
  const { data } = useQuery('incidents/open', async () => {
    const answers = await Promise.all(
      (['investigating', 'identified', 'monitoring'] as const).map(status =>
        api.listIncidents({ query: { status, per_page: 3 } }),
      ),
    )
    return { shown: answers.flatMap(each => each.data), total: answers.reduce((sum, each) => sum + each.meta.total, 0) }
  })
  if (data === undefined || data.total === 0) return null
  const [first] = data.shown
  return (
    <div className="banner" role="status">
      <span>
        <strong>{plural(data.total, 'open incident')}</strong>
        {first !== undefined && (
          <>
            {': '}
            <Link to={`/incidents/${first.id}`}>{first.title}</Link>
          </>
        )}
      </span>
      <Link to="/incidents" className="text">
        Show all
      </Link>
    </div>
  )
}

export type { Monitor }
