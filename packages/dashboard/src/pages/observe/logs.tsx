import type { LogEntry, LogQuery } from '@watchpost/contract'
import { useEffect, useState } from 'react'
import { api, messageOf } from '../../core/api.ts'
import { invalidate } from '../../core/cache.ts'
import { plural } from '../../core/format.ts'
import { useLocation } from '../../core/router.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'
import { AppFrame } from '../apps/frame.tsx'
import {
  AttributeFilter,
  askForAttribute,
  attributeQuery,
  QueryInput,
  QuerySelect,
  ServiceSelect,
  useAttributes,
} from './filters.tsx'
import { keyOf, LogLines } from './log-lines.tsx'
import { RangePicker, useRange } from './range.tsx'
import { Further, useSlices } from './slices.tsx'

/** Log records, searched, or as they come in. */
export function Logs({ id }: { id: string }) {
  return <AppFrame id={id}>{() => <Search id={id} />}</AppFrame>
}

const severities = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

function Search({ id }: { id: string }) {
  const { query } = useLocation()
  const range = useRange()
  const [attributes] = useAttributes()
  const [tailing, setTailing] = useState(false)
  const asked = Object.fromEntries(
    ['service', 'q', 'severity', 'trace_id'].flatMap(name => [[name, query.get(name) ?? '']]).filter(([, v]) => v),
  )
  const filters = { ...asked, ...attributeQuery(attributes) } as LogQuery
  return (
    <>
      <div className="toolbar">
        <QueryInput name="q" label="Words in the log" placeholder="Words in the log" />
        <QuerySelect name="severity" label="Severity">
          <option value="">Every severity</option>
          {severities.map(word => (
            <option key={word} value={word}>
              {word} and above
            </option>
          ))}
        </QuerySelect>
        <ServiceSelect id={id} range={range} />
        <AttributeFilter />
        <Button
          kind={tailing ? 'primary' : 'plain'}
          icon={tailing ? 'pause' : 'play'}
          aria-pressed={tailing}
          onClick={() => setTailing(!tailing)}
        >
          Live tail
        </Button>
        {!tailing && <RangePicker range={range} onRefresh={() => invalidate(`app/${id}/logs/`)} />}
      </div>
      {tailing ? (
        <Tail key={JSON.stringify(filters)} id={id} filters={filters} />
      ) : (
        <Found id={id} filters={filters} range={range} />
      )}
    </>
  )
}

function Found({ id, filters, range }: { id: string; filters: LogQuery; range: ReturnType<typeof useRange> }) {
  const { known, more, busy } = useSlices<LogEntry>(`app/${id}/logs/${range.key}/${JSON.stringify(filters)}`, cursor =>
    api.listLogs({
      params: { id },
      query: { ...range.read(), limit: 100, ...filters, ...(cursor ? { cursor } : {}) },
    }),
  )
  const filtered = Object.keys(filters).length > 0
  return (
    <Card flush>
      <Loaded of={known} lines={8}>
        {({ rows, meta }) =>
          rows.length === 0 ? (
            <Empty icon="apps" title={filtered ? 'No record is like that' : 'No logs in this time'}>
              {filtered
                ? 'Change what is asked for, or look at more time.'
                : 'The overview shows what to set, so that the app sends its logs here.'}
            </Empty>
          ) : (
            <>
              <LogLines entries={rows} id={id} onAsk={askForAttribute} />
              <Further meta={meta} busy={busy} onMore={more} />
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

const everyMs = 1500
const most = 500

/** What comes in from now on; a window that nobody sees asks for nothing. */
function Tail({ id, filters }: { id: string; filters: LogQuery }) {
  const [entries, setEntries] = useState<LogEntry[]>([])
  const [trouble, setTrouble] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked for is its key
  useEffect(() => {
    // A clock that goes ahead or behind, and a sender that gathers before it sends, must not hide anything.
    let from = Date.now() - 60_000
    const seen = new Set<string>()
    let ended = false
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      if (document.visibilityState === 'visible') {
        try {
          const query = { ...filters, from: new Date(from).toISOString(), limit: 200 }
          const { data } = await api.listLogs({ params: { id }, query })
          if (ended) return
          const fresh = data.filter(entry => !seen.has(keyOf(entry)))
          for (const entry of fresh) seen.add(keyOf(entry))
          if (fresh.length > 0) setEntries(before => [...fresh, ...before].slice(0, most))
          from = Math.max(from, Date.now() - 60_000)
          setTrouble(undefined)
        } catch (error) {
          if (!ended) setTrouble(messageOf(error))
        }
      }
      if (!ended) timer = setTimeout(look, everyMs)
    }
    look()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [id])
  return (
    <Card flush>
      <p className="tail-note" role="status">
        <span className="dot online" aria-hidden="true" />
        {trouble ?? (entries.length === 0 ? 'Waiting for the first record…' : plural(entries.length, 'record'))}
      </p>
      <LogLines entries={entries} id={id} onAsk={askForAttribute} />
    </Card>
  )
}
