import type { TraceQuery, TraceSummary } from '@watchpost/contract'
import { api } from '../../core/api.ts'
import { invalidate } from '../../core/cache.ts'
import { milliseconds, plural } from '../../core/format.ts'
import { Link, useLocation } from '../../core/router.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { AppFrame } from '../apps/frame.tsx'
import { Durations } from './durations.tsx'
import { AttributeFilter, attributeQuery, QueryInput, QuerySelect, ServiceSelect, useAttributes } from './filters.tsx'
import { RangePicker, useRange } from './range.tsx'
import { Further, useSlices } from './slices.tsx'

/** Traces that have a span as it is asked for. */
export function Traces({ id }: { id: string }) {
  return <AppFrame id={id}>{() => <List id={id} />}</AppFrame>
}

function List({ id }: { id: string }) {
  const { query } = useLocation()
  const range = useRange()
  const [attributes] = useAttributes()
  const asked = Object.fromEntries(
    ['service', 'name', 'status', 'min_duration'].flatMap(name => [[name, query.get(name) ?? '']]).filter(([, v]) => v),
  )
  const filters = { ...asked, ...attributeQuery(attributes) }
  const { known, more, busy } = useSlices<TraceSummary>(
    `app/${id}/traces/${range.key}/${JSON.stringify(filters)}`,
    cursor =>
      api.listTraces({
        params: { id },
        query: { ...range.read(), limit: 50, ...(filters as TraceQuery), ...(cursor ? { cursor } : {}) },
      }),
  )
  const filtered = Object.keys(filters).length > 0
  const longest = Math.max(1, ...(known.data?.rows.map(each => each.duration_ms) ?? []))
  return (
    <>
      <div className="toolbar">
        <ServiceSelect id={id} range={range} />
        <QueryInput name="name" label="Name of a span" placeholder="Name of a span" />
        <QuerySelect name="status" label="Status">
          <option value="">Any status</option>
          <option value="error">With errors</option>
          <option value="ok">ok</option>
        </QuerySelect>
        <QueryInput name="min_duration" label="At least so many milliseconds" placeholder="≥ ms" type="number" short />
        <AttributeFilter />
        <RangePicker range={range} onRefresh={() => invalidate(`app/${id}/traces/`, `app/${id}/services/`)} />
      </div>
      {known.data !== undefined && known.data.rows.length > 1 && <Durations id={id} traces={known.data.rows} />}
      <Card flush>
        <Loaded of={known}>
          {({ rows, meta }) =>
            rows.length === 0 ? (
              <Empty icon="apps" title={filtered ? 'No trace is like that' : 'No traces in this time'}>
                {filtered
                  ? 'Change what is asked for, or look at more time.'
                  : 'The overview shows what to set, so that the app sends its traces here.'}
              </Empty>
            ) : (
              <>
                <Table
                  label="Traces"
                  rows={rows.map(trace => ({ id: trace.trace_id, ...trace }))}
                  columns={[
                    {
                      name: 'Trace',
                      cell: trace => (
                        <>
                          <Link to={`/apps/${id}/traces/${trace.trace_id}`} className="main">
                            {trace.root_name ?? trace.trace_id}
                          </Link>
                          <span className="sub">
                            {trace.root_service ?? 'root not here yet'}
                            <span className="narrow-only">
                              , <Ago at={trace.started_at} />
                            </span>
                          </span>
                        </>
                      ),
                    },
                    { name: 'Began', minor: true, cell: trace => <Ago at={trace.started_at} /> },
                    {
                      name: 'Spans',
                      cell: trace => (
                        <span className="actions">
                          <span className="number">{trace.span_count}</span>
                          {trace.error_count > 0 && <Badge tone="bad">{plural(trace.error_count, 'error')}</Badge>}
                        </span>
                      ),
                    },
                    {
                      name: 'Duration',
                      end: true,
                      cell: trace => (
                        <span className="duration-cell">
                          <span className="duration-bar" aria-hidden="true">
                            <i
                              className={trace.error_count > 0 ? 'bad' : ''}
                              style={{ width: `${Math.max(1, (trace.duration_ms / longest) * 100)}%` }}
                            />
                          </span>
                          <span className="number">{milliseconds(trace.duration_ms)}</span>
                        </span>
                      ),
                    },
                  ]}
                />
                <Further meta={meta} busy={busy} onMore={more} />
              </>
            )
          }
        </Loaded>
      </Card>
    </>
  )
}
