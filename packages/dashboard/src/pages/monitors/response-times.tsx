import type { Metrics } from '@watchpost/contract'
import { useCallback, useMemo, useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { count, milliseconds, moment, percent, plural, spaced } from '../../core/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Loaded } from '../../ui/state.tsx'
import { TimeSteps } from '../../ui/time-steps.tsx'
import { Percentiles } from './percentiles.tsx'
import { PhasesOverTime } from './phases.tsx'
import { Regions } from './regions.tsx'

/** What every view of response times draws. */
export interface Drawn {
  metrics: Metrics
  /** Epoch seconds. */
  range: [from: number, to: number]
  zoomTo: (from: number, to: number) => void
}

const hourMs = 3_600_000
const stretches = { '1 h': 1, '24 h': 24, '7 d': 168, '30 d': 720, '90 d': 2160 } as const
type Stretch = keyof typeof stretches
const views = { percentiles: 'Percentiles', regions: 'Regions', phases: 'Phases' } as const
type View = keyof typeof views
/** Single checks are kept no longer, and only they know regions and phases. */
const singleHours = stretches['7 d']

/** Response times over time: as percentiles, by region, or by phase. A stretch of it is looked at by dragging over it. */
export function ResponseTimes({ id }: { id: string }) {
  const [view, setView] = useState<View>('percentiles')
  const [stretch, setStretch] = useState<Stretch>('24 h')
  const [zoom, setZoom] = useState<[from: number, to: number]>()
  const single = view !== 'percentiles'
  const key = `${zoom === undefined ? stretch : zoom.join('-')}${single ? '/regions' : ''}`
  const known = useQuery(`monitor/${id}/metrics/${key}`, async () => {
    const [from, to] = zoom ?? [Date.now() - stretches[stretch] * hourMs, undefined]
    const query = {
      from: new Date(from).toISOString(),
      ...(to === undefined ? {} : { to: new Date(Math.min(to, Date.now())).toISOString() }),
      ...(single ? { by: 'region' as const } : {}),
    }
    const ask = async (from: string) =>
      (await api.getMonitorMetrics({ params: { id }, query: { ...query, from } })).data
    const all = await ask(query.from)
    const first = all.series.find(point => point.checks > 0)
    // Of a monitor of the last hour each check is drawn: it would be a few points otherwise.
    const young = first !== undefined && Date.parse(first.at) > Date.parse(all.to) - hourMs
    return !single && zoom === undefined && all.resolution !== 'raw' && young ? ask(first.at) : all
  })
  const { data } = known
  const range = useMemo<[number, number]>(() => {
    if (data === undefined) return [0, 1]
    const [from, to] = [Date.parse(data.from) / 1000, Date.parse(data.to) / 1000]
    // A monitor that is younger than the stretch fills it nevertheless.
    const first = data.series.find(point => point.checks > 0)
    const began = first === undefined || zoom !== undefined ? from : Date.parse(first.at) / 1000
    return [Math.max(from, Math.min(began, to - 60)), to]
  }, [data, zoom])
  // Less than five minutes would be a handful of checks.
  const zoomTo = useCallback((from: number, to: number) => {
    const middle = (from + to) / 2
    const half = Math.max((to - from) / 2, 150_000)
    setZoom([Math.round(middle - half), Math.round(middle + half)])
  }, [])
  const look = (next: View) => {
    setView(next)
    if (next === 'percentiles') return
    if (stretches[stretch] > singleHours) setStretch('7 d')
    if (zoom !== undefined && zoom[0] < Date.now() - singleHours * hourMs) setZoom(undefined)
  }
  return (
    <Card
      title="Response time"
      actions={
        <>
          {zoom !== undefined && (
            <Button small onClick={() => setZoom(undefined)}>
              Undo zoom
            </Button>
          )}
          <Segmented
            legend="What is drawn"
            words={Object.keys(views) as View[]}
            label={each => views[each]}
            value={view}
            onChange={look}
          />
          <Segmented
            legend="Stretch of time"
            words={(Object.keys(stretches) as Stretch[]).filter(each => !single || stretches[each] <= singleHours)}
            value={zoom === undefined ? stretch : undefined}
            onChange={each => {
              setZoom(undefined)
              setStretch(each)
            }}
          />
          <TimeSteps of={() => zoom ?? [range[0] * 1000, range[1] * 1000]} onLook={zoomTo} />
        </>
      }
    >
      <Loaded of={known} lines={6}>
        {metrics => (
          <div className="stack">
            {metrics.checks === 0 ? (
              <p className="quiet">
                No checks between {moment(metrics.from)} and {moment(metrics.to)}.
              </p>
            ) : view === 'percentiles' ? (
              <Percentiles metrics={metrics} range={range} zoomTo={zoomTo} />
            ) : view === 'regions' ? (
              <Regions regions={metrics.regions ?? []} metrics={metrics} range={range} zoomTo={zoomTo} />
            ) : (
              <PhasesOverTime regions={metrics.regions ?? []} metrics={metrics} range={range} zoomTo={zoomTo} />
            )}
            {!single && <Facts metrics={metrics} />}
            <Counted metrics={metrics} />
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Facts({ metrics: { response_time_ms: all, uptime } }: { metrics: Metrics }) {
  const facts = [
    ['p50', milliseconds(all.p50)],
    ['p95', milliseconds(all.p95)],
    ['p99', milliseconds(all.p99)],
    ['Fastest', milliseconds(all.min)],
    ['Slowest', milliseconds(all.max)],
    ['Uptime', percent(uptime)],
  ] as const
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Counted({ metrics: { checks, up, down, errors, resolution } }: { metrics: Metrics }) {
  return (
    <p className="hint">
      {plural(checks, 'check')}: {count(up)} up, {count(down)} down
      {errors > 0 && `, ${count(errors)} the probe could not make`}. One point{' '}
      {resolution === 'raw' ? 'for each check' : `is ${spaced(resolution)}`}.
    </p>
  )
}
