import { useCallback, useMemo, useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { milliseconds, moment, percent } from '../../core/format.ts'
import { Button } from '../../ui/button.tsx'
import { Chart, type Line } from '../../ui/chart.tsx'
import { Card } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'

const stretches = { '1 h': 1, '24 h': 24, '7 d': 168, '30 d': 720, '90 d': 2160 } as const
type Stretch = keyof typeof stretches

/** Response times as percentiles over time; a stretch of it is looked at by dragging over it. */
export function ResponseTimes({ id }: { id: string }) {
  const [stretch, setStretch] = useState<Stretch>('24 h')
  const [zoom, setZoom] = useState<[from: number, to: number]>()
  const key = zoom === undefined ? stretch : zoom.join('-')
  const known = useQuery(`monitor/${id}/metrics/${key}`, async () => {
    const [from, to] = zoom ?? [Date.now() - stretches[stretch] * 3_600_000, undefined]
    const query = {
      from: new Date(from).toISOString(),
      ...(to === undefined ? {} : { to: new Date(Math.min(to, Date.now())).toISOString() }),
    }
    return (await api.getMonitorMetrics({ params: { id }, query })).data
  })
  const { data } = known
  const times = useMemo(() => data?.series.map(point => Date.parse(point.at) / 1000) ?? [], [data])
  const lines = useMemo<Line[]>(() => {
    if (data === undefined) return []
    const of = (name: 'p50' | 'p95' | 'p99') => data.series.map(point => point[name])
    if (data.resolution === 'raw') {
      return [{ label: 'Response', colour: '--accent', values: of('p50'), fill: true }]
    }
    return [
      { label: 'p50', colour: '--accent', values: of('p50'), fill: true, width: 2 },
      { label: 'p95', colour: '--p95', values: of('p95') },
      { label: 'p99', colour: '--p99', values: of('p99') },
    ]
  }, [data])
  const range = useMemo<[number, number]>(() => {
    if (data === undefined) return [0, 1]
    const [from, to] = [Date.parse(data.from) / 1000, Date.parse(data.to) / 1000]
    // A monitor that is younger than the stretch fills it nevertheless.
    const first = data.series.find(point => point.checks > 0)
    const began = first === undefined || zoom !== undefined ? from : Date.parse(first.at) / 1000
    return [Math.max(from, Math.min(began, to - 300)), to]
  }, [data, zoom])
  // Less than five minutes would be a handful of checks.
  const zoomTo = useCallback((from: number, to: number) => {
    const middle = (from + to) / 2
    const half = Math.max((to - from) / 2, 150_000)
    setZoom([Math.round(middle - half), Math.round(middle + half)])
  }, [])
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
          <fieldset className="segmented">
            <legend className="visually-hidden">Stretch of time</legend>
            {(Object.keys(stretches) as Stretch[]).map(each => (
              <button
                key={each}
                type="button"
                aria-pressed={zoom === undefined && each === stretch}
                onClick={() => {
                  setZoom(undefined)
                  setStretch(each)
                }}
              >
                {each}
              </button>
            ))}
          </fieldset>
        </>
      }
    >
      <Loaded of={known} lines={6}>
        {({ response_time_ms: all, checks, up, down, errors, uptime, from, to, resolution }) => (
          <div className="stack">
            {checks === 0 ? (
              <p className="quiet">
                No checks between {moment(from)} and {moment(to)}.
              </p>
            ) : (
              <Chart
                times={times}
                lines={lines}
                format={milliseconds}
                onZoom={zoomTo}
                range={range}
                label={`Response times from ${moment(from)} to ${moment(to)}: half of them below ${milliseconds(all.p50)}, 95 percent below ${milliseconds(all.p95)}. Drag to zoom.`}
              />
            )}
            <dl className="facts">
              {(
                [
                  ['p50', milliseconds(all.p50)],
                  ['p95', milliseconds(all.p95)],
                  ['p99', milliseconds(all.p99)],
                  ['Fastest', milliseconds(all.min)],
                  ['Slowest', milliseconds(all.max)],
                  ['Uptime', percent(uptime)],
                ] as const
              ).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <p className="hint">
              {checks} checks: {up} up, {down} down{errors > 0 && `, ${errors} the probe could not make`}. One point{' '}
              {resolution === 'raw' ? 'for each check' : `is ${resolution}`}.
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  )
}
