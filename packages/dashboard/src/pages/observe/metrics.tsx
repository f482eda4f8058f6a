import { type MetricQuery, type MetricSummary, metricStats } from '@watchpost/contract'
import { useMemo, useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { setQuery, useLocation } from '../../core/router.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Chart, type Line } from '../../ui/chart.tsx'
import { Card } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'
import { AppFrame } from '../apps/frame.tsx'
import { textOf } from './attributes.tsx'
import { AttributeFilter, attributeQuery, QuerySelect, ServiceSelect, useAttributes } from './filters.tsx'
import { RangePicker, useRange, zoomInto } from './range.tsx'
import { common, joined } from './series.ts'
import { amount } from './units.ts'

/** Metrics by name, each drawn by its labels. */
export function Metrics({ id }: { id: string }) {
  return <AppFrame id={id}>{() => <Explorer id={id} />}</AppFrame>
}

function Explorer({ id }: { id: string }) {
  const { query } = useLocation()
  const known = useQuery(`app/${id}/metric-names`, async () => (await api.listMetrics({ params: { id } })).data)
  return (
    <Loaded of={known} lines={8}>
      {metrics => {
        const chosen = metrics.find(({ name }) => name === query.get('metric')) ?? metrics[0]
        if (chosen === undefined) {
          return (
            <Card>
              <Empty icon="apps" title="No metrics yet">
                The overview shows what to set, so that the app sends its metrics here.
              </Empty>
            </Card>
          )
        }
        return (
          <div className="explorer">
            <Names metrics={metrics} chosen={chosen} />
            <Drawn key={chosen.name} id={id} metric={chosen} />
          </div>
        )
      }}
    </Loaded>
  )
}

function Names({ metrics, chosen }: { metrics: MetricSummary[]; chosen: MetricSummary }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = metrics.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
  return (
    <nav className="card flush names" aria-label="Metrics">
      <div className="names-search">
        <input
          type="search"
          aria-label="Search metrics"
          placeholder={`Search ${metrics.length} metrics`}
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </div>
      <ul>
        {found.map(metric => (
          <li key={metric.name}>
            <button
              type="button"
              aria-current={metric.name === chosen.name ? 'true' : undefined}
              title={metric.description}
              onClick={() => {
                setQuery('stat', undefined)
                setQuery('metric', metric.name)
              }}
            >
              <span>{metric.name}</span>
              <span className="quiet">{metric.type.replace('_', ' ')}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="palette-none">None is called that.</p>}
    </nav>
  )
}

/** What one asks of a metric first: how fast a counter counts, how long most things take. */
const usualStat: Record<string, string> = { sum: 'rate', histogram: 'p95', exponential_histogram: 'p95' }
/** As many as can be told apart. */
const most = 8

function Drawn({ id, metric }: { id: string; metric: MetricSummary }) {
  const { query } = useLocation()
  const range = useRange()
  const [attributes] = useAttributes()
  const { name, type, unit, description } = metric
  const stat = query.get('stat') ?? usualStat[type] ?? ''
  const service = query.get('service') ?? ''
  // A hundred and twenty points are as many as a chart this wide shows well.
  const step = Math.max(10, Math.ceil((range.minutes * 60) / 120 / 10) * 10)
  const filters = {
    ...(service === '' ? {} : { service }),
    ...(stat === '' ? {} : { stat }),
    ...attributeQuery(attributes),
  } as MetricQuery
  const known = useQuery(`app/${id}/metric/${name}/${range.key}/${JSON.stringify(filters)}`, async () => {
    const asked = range.read()
    const { data } = await api.getMetric({ params: { id, name }, query: { ...asked, step, ...filters } })
    return { ...data, from: Date.parse(asked.from) / 1000, to: (asked.to ? Date.parse(asked.to) : Date.now()) / 1000 }
  })
  const { data } = known
  const shown = useMemo(() => data?.series.slice(0, most) ?? [], [data])
  const { times, lines } = useMemo(() => {
    const together = joined(shown)
    const drawn = together.lines.map<Line>((line, at) => ({
      ...line,
      colour: `--series-${at + 1}`,
      width: 1.75,
      fill: shown.length === 1,
    }))
    return { times: together.times, lines: drawn }
  }, [shown])
  const isRate = stat === 'rate'
  const format = useMemo(() => (value: number | null | undefined) => amount(value, unit, isRate), [unit, isRate])
  const span = useMemo<[number, number]>(() => [data?.from ?? 0, data?.to ?? 1], [data])
  const same = Object.entries(common(data?.series ?? []))
  return (
    <div className="stack">
      <div className="toolbar">
        <QuerySelect name="stat" label="What of it">
          <option value="">{usualStat[type] ?? 'as sent'}</option>
          {metricStats
            .filter(word => word !== usualStat[type])
            .map(word => (
              <option key={word} value={word}>
                {word}
              </option>
            ))}
        </QuerySelect>
        <ServiceSelect id={id} range={range} />
        <AttributeFilter />
        <RangePicker live range={range} onRefresh={() => invalidate(`app/${id}/metric/`)} />
      </div>
      <Card title={name} actions={<Badge>{type.replace('_', ' ')}</Badge>}>
        <div className="stack">
          {description !== '' && <p className="quiet">{description}</p>}
          <Loaded of={known} lines={6}>
            {found =>
              found.series.length === 0 ? (
                <p className="notice">No points in this time{attributes.length > 0 && ' with these attributes'}.</p>
              ) : (
                <>
                  <Chart
                    times={times}
                    lines={lines}
                    format={format}
                    range={span}
                    onZoom={zoomInto}
                    spanGaps
                    label={`${name}, ${stat || 'as sent'}: ${lines.map(({ label }) => label).join(', ')}. Drag to zoom.`}
                  />
                  <p className="hint">
                    One point is {found.step} s.{' '}
                    {same.length > 0 && `All: ${same.map(([key, value]) => `${key}=${textOf(value)}`).join(', ')}. `}
                    {found.series.length > most &&
                      `${most} of ${found.series.length} series are drawn; ask for an attribute to see others.`}
                  </p>
                  <Latest lines={lines} format={format} />
                </>
              )
            }
          </Loaded>
        </div>
      </Card>
    </div>
  )
}

/** The same in numbers, for those who cannot see a chart. */
function Latest({ lines, format }: { lines: Line[]; format: (value: number | null) => string }) {
  const numbers = lines.map(({ label, values }) => {
    const known = values.filter(value => value !== null)
    return { id: label, last: known.at(-1) ?? null, min: Math.min(...known), max: Math.max(...known) }
  })
  return (
    <details className="more">
      <summary>As a table</summary>
      <table aria-label="Series">
        <thead>
          <tr>
            <th scope="col">Series</th>
            <th scope="col" className="end">
              Least
            </th>
            <th scope="col" className="end">
              Most
            </th>
            <th scope="col" className="end">
              Last
            </th>
          </tr>
        </thead>
        <tbody>
          {numbers.map(({ id, last, min, max }) => (
            <tr key={id}>
              <td>{id}</td>
              <td className="end number">{format(min)}</td>
              <td className="end number">{format(max)}</td>
              <td className="end number">{format(last)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
