import { useMemo, useState } from 'react'
import { milliseconds, moment } from '../../core/format.ts'
import { Chart, type Line } from '../../ui/chart.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { meanOf, phaseKeys, phases, type Region, stacked } from './region-lines.ts'
import { toggled } from './regions.tsx'
import type { Drawn } from './response-times.tsx'

/** Where the time goes, one phase upon the other, as one region sees it: far away everything takes longer. */
export function PhasesOverTime({ regions, metrics, range, zoomTo }: Drawn & { regions: Region[] }) {
  const [name, setName] = useState<string>()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const region = regions.find(each => each.region === name) ?? regions[0]
  const { times, lines } = useMemo(() => {
    if (region === undefined) return { times: [], lines: [] }
    const { times, layers } = stacked(region, hidden)
    const lines = layers.map<Line>(({ phase, own, tops }) => ({
      label: phases[phase],
      colour: `--phase-${phaseKeys.indexOf(phase) + 1}`,
      values: tops,
      own,
      width: 1,
      fill: 'solid',
      hidden: hidden.has(phases[phase]),
    }))
    return { times, lines }
  }, [region, hidden])
  if (region === undefined) return null
  const means = phaseKeys.flatMap(phase => {
    const ms = meanOf(region, phase)
    return ms === null ? [] : [{ phase, ms }]
  })
  const toggle = (phase: string) => setHidden(toggled(hidden, phase))
  return (
    <>
      {regions.length > 1 && (
        <Segmented
          legend="As seen from"
          words={regions.map(each => each.region)}
          value={region.region}
          onChange={setName}
        />
      )}
      {means.length === 0 ? (
        <p className="quiet">No phases are known in this time.</p>
      ) : (
        <>
          <Chart
            times={times}
            lines={lines}
            format={milliseconds}
            onZoom={zoomTo}
            onToggle={toggle}
            range={range}
            label={`Phases of checks from ${moment(metrics.from)} to ${moment(metrics.to)}, on average ${means.map(({ phase, ms }) => `${phases[phase]} ${milliseconds(ms)}`).join(', ')}. Drag to zoom.`}
          />
          <fieldset className="phase-toggles">
            <legend className="visually-hidden">Phases that are drawn, and what they take on average</legend>
            {means.map(({ phase, ms }) => (
              <button
                key={phase}
                type="button"
                className="series-toggle"
                aria-pressed={!hidden.has(phases[phase])}
                onClick={() => toggle(phases[phase])}
              >
                <i className={`phase-${phase}`} />
                {phases[phase]} <span className="number quiet">{milliseconds(ms)}</span>
              </button>
            ))}
          </fieldset>
        </>
      )}
      <p className="hint">Of successes, one in five minutes keeps its phases.</p>
    </>
  )
}
