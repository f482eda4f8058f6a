import type { Monitor } from '@watchpost/contract'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { serverNow } from '../../core/clock.ts'
import { paths, said, type Tone, viewBox } from './hours.ts'

const hourMs = 3_600_000
const hours = 24
/** Who scrolls past ten thousand rows asks about none of them. */
const restMs = 250
const atOnce = 4

const waiting: (() => void)[] = []
let running = 0

/** A few questions at a time: what somebody opens in the meantime comes first. */
async function inTurn<T>(ask: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>(resolve => waiting.push(resolve))
  running++
  try {
    return await ask()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** How each of the last 24 hours went. Asked for once the row rests in sight, each hour, and when the status changes. */
export function LastDay({ monitor: { id, status } }: { monitor: Monitor }) {
  const [rests, setRests] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRests(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  const hour = Math.floor(serverNow() / hourMs)
  const key = rests ? `hours/${id}/${hour}/${status}` : undefined
  const { data } = useQuery(key, () =>
    inTurn(async () => {
      const from = new Date((hour - hours + 1) * hourMs).toISOString()
      const { series } = (await api.getMonitorMetrics({ params: { id }, query: { from, resolution: '1h' } })).data
      return series.slice(-hours).map(point => point.uptime)
    }),
  )
  const last = useRef(data)
  last.current = data ?? last.current
  const shown = last.current
  if (shown === undefined) return <span className="last-day" />
  return (
    <span className="last-day">
      <svg viewBox={viewBox(shown.length)} preserveAspectRatio="none" role="img" aria-label={said(shown)}>
        <title>{said(shown)}</title>
        {(Object.entries(paths(shown)) as [Tone, string][]).map(([tone, path]) => (
          <path key={tone} className={tone} d={path} />
        ))}
      </svg>
    </span>
  )
}
