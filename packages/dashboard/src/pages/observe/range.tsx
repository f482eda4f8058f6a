import { useEffect, useRef } from 'react'
import { moment, spaced } from '../../core/format.ts'
import { setQuery, useLocation } from '../../core/router.tsx'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { TimeSteps } from '../../ui/time-steps.tsx'

export const ranges = { '15m': 15, '1h': 60, '6h': 360, '24h': 1440, '7d': 10_080 } as const
type RangeName = keyof typeof ranges

export interface Range {
  /** Names it in a cache. */
  key: string
  /** As it is now: the last hour ends where one looks. */
  read(): { from: string; to?: string }
  minutes: number
  fixed: { from: string; to: string } | undefined
}

/** The stretch of time that is looked at, which is in the address: the last so much, or what was zoomed into. */
export function useRange(usual: RangeName = '1h'): Range {
  const { query } = useLocation()
  const [from, to] = [query.get('from'), query.get('to')]
  if (from !== null && to !== null && Date.parse(from) < Date.parse(to)) {
    const fixed = { from, to }
    return { key: `${from}-${to}`, read: () => fixed, minutes: (Date.parse(to) - Date.parse(from)) / 60_000, fixed }
  }
  const said = query.get('range') ?? ''
  const name = said in ranges ? (said as RangeName) : usual
  const minutes = ranges[name]
  return {
    key: name,
    read: () => ({ from: new Date(Date.now() - minutes * 60_000).toISOString() }),
    minutes,
    fixed: undefined,
  }
}

/** Looks at a part of what is shown. */
export function zoomInto(fromMs: number, toMs: number): void {
  const middle = (fromMs + toMs) / 2
  const half = Math.max((toMs - fromMs) / 2, 30_000)
  setQuery('from', new Date(Math.round(middle - half)).toISOString())
  setQuery('to', new Date(Math.round(middle + half)).toISOString())
}

const refreshMs = 30_000

/** @param live whether what is drawn follows the time, where its end is now and somebody looks */
export function RangePicker(props: { range: Range; onRefresh: () => void; live?: boolean }) {
  const { range, onRefresh, live = false } = props
  const refresh = useRef(onRefresh)
  refresh.current = onRefresh
  const follows = live && range.fixed === undefined
  useEffect(() => {
    if (!follows) return
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh.current(), refreshMs)
    return () => clearInterval(timer)
  }, [follows])
  const choose = (name: string) => {
    setQuery('from', undefined)
    setQuery('to', undefined)
    setQuery('range', name)
  }
  return (
    <div className="actions">
      {range.fixed !== undefined && (
        <Button small icon="close" onClick={() => choose(range.minutes > 60 ? '24h' : '1h')}>
          {moment(range.fixed.from)} – {moment(range.fixed.to)}
        </Button>
      )}
      <Segmented
        legend="Stretch of time"
        words={Object.keys(ranges)}
        label={spaced}
        value={range.key}
        onChange={choose}
      />
      <TimeSteps
        of={() =>
          range.fixed === undefined
            ? [Date.now() - range.minutes * 60_000, Date.now()]
            : [Date.parse(range.fixed.from), Date.parse(range.fixed.to)]
        }
        onLook={zoomInto}
      />
      <Button small onClick={onRefresh}>
        Refresh
      </Button>
    </div>
  )
}
