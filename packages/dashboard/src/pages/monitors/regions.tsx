import { useMemo, useState } from 'react'
import { milliseconds, moment, percent } from '../../core/format.ts'
import { Chart, type Line } from '../../ui/chart.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { type Percentile, type Region, sideBySide } from './region-lines.ts'
import type { Drawn } from './response-times.tsx'

const percentiles: Percentile[] = ['p50', 'p95', 'p99']

/** Response times as each region sees them; the table beneath is the legend, and takes lines away. */
export function Regions({ regions, metrics, range, zoomTo }: Drawn & { regions: Region[] }) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [percentile, setPercentile] = useState<Percentile>('p50')
  const raw = metrics.resolution === 'raw'
  const shown = raw ? 'p50' : percentile
  const { times, lines } = useMemo(() => {
    const together = sideBySide(regions, shown)
    const drawn = together.lines.map<Line>((line, at) => ({
      ...line,
      colour: colourOf(at),
      width: 1.75,
      hidden: hidden.has(line.label),
    }))
    return { times: together.times, lines: drawn }
  }, [regions, shown, hidden])
  const toggle = (region: string) => setHidden(toggled(hidden, region))
  return (
    <>
      <Chart
        times={times}
        lines={lines}
        format={milliseconds}
        onZoom={zoomTo}
        onToggle={toggle}
        range={range}
        spanGaps={raw}
        label={`Response times of ${regions.map(({ region }) => region).join(', ')} from ${moment(metrics.from)} to ${moment(metrics.to)}, as told in the table below. Drag to zoom.`}
      />
      {!raw && (
        <Segmented legend="Which percentile is drawn" words={percentiles} value={percentile} onChange={setPercentile} />
      )}
      <table aria-label="Regions">
        <thead>
          <tr>
            <th scope="col">Region</th>
            <th scope="col" className="end">
              p50
            </th>
            <th scope="col" className="end">
              p95
            </th>
            <th scope="col" className="end minor">
              p99
            </th>
            <th scope="col" className="end">
              Uptime
            </th>
            <th scope="col" className="end minor">
              Checks
            </th>
          </tr>
        </thead>
        <tbody>
          {regions.map(({ region, response_time_ms: ms, uptime, checks }, at) => (
            <tr key={region}>
              <td>
                <button
                  type="button"
                  className="series-toggle"
                  aria-pressed={!hidden.has(region)}
                  onClick={() => toggle(region)}
                >
                  <i className={`series-${(at % 8) + 1}`} />
                  {region}
                </button>
              </td>
              <td className="end number">{milliseconds(ms.p50)}</td>
              <td className="end number">{milliseconds(ms.p95)}</td>
              <td className="end number minor">{milliseconds(ms.p99)}</td>
              <td className="end number">{percent(uptime)}</td>
              <td className="end number minor">{checks}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {regions.length === 1 && (
        <p className="hint">
          Only one region has looked in this time. Probes in others, and the option “regions”, add theirs.
        </p>
      )}
    </>
  )
}

const colourOf = (at: number) => `--series-${(at % 8) + 1}`

export function toggled(set: ReadonlySet<string>, word: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(word)) next.add(word)
  return next
}
