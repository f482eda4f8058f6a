import { useMemo } from 'react'
import { milliseconds, moment } from '../../core/format.ts'
import { Chart, type Line } from '../../ui/chart.tsx'
import type { Drawn } from './response-times.tsx'

/** Response times of all regions together. */
export function Percentiles({ metrics, range, zoomTo }: Drawn) {
  const { response_time_ms: all } = metrics
  const times = useMemo(() => metrics.series.map(point => Date.parse(point.at) / 1000), [metrics])
  const lines = useMemo<Line[]>(() => {
    const of = (name: 'p50' | 'p95' | 'p99') => metrics.series.map(point => point[name])
    if (metrics.resolution === 'raw') {
      return [{ label: 'Response', colour: '--accent', values: of('p50'), fill: true }]
    }
    return [
      { label: 'p50', colour: '--accent', values: of('p50'), fill: true, width: 2 },
      { label: 'p95', colour: '--p95', values: of('p95') },
      { label: 'p99', colour: '--p99', values: of('p99') },
    ]
  }, [metrics])
  return (
    <Chart
      times={times}
      lines={lines}
      format={milliseconds}
      onZoom={zoomTo}
      range={range}
      label={`Response times from ${moment(metrics.from)} to ${moment(metrics.to)}: half of them below ${milliseconds(all.p50)}, 95 percent below ${milliseconds(all.p95)}. Drag to zoom.`}
    />
  )
}
