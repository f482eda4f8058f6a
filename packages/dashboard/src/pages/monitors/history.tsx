import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { percent } from '../../core/format.ts'
import { Loaded } from '../../ui/state.tsx'
import { toneOf } from './hours.ts'

/** A bar for each of ninety days; a day nobody watched is neither good nor bad. */
export function History({ id }: { id: string }) {
  const known = useQuery(`monitor/${id}/history`, async () => {
    const from = new Date(Date.now() - 89 * 86_400_000)
    from.setUTCHours(0, 0, 0, 0)
    const query = { from: from.toISOString(), resolution: '1d' as const }
    return (await api.getMonitorMetrics({ params: { id }, query })).data
  })
  return (
    <Loaded of={known} lines={1}>
      {({ series, uptime }) => (
        <>
          <div className="history" role="img" aria-label={`Ninety days: ${percent(uptime)} up`}>
            {series.map(day => (
              <span
                key={day.at}
                className={toneOf(day.uptime)}
                title={`${day.at.slice(0, 10)}: ${day.uptime === null ? 'not watched' : `${percent(day.uptime)} up`}`}
              />
            ))}
          </div>
          <div className="history-ends">
            <span>90 days ago</span>
            <span>{percent(uptime)}</span>
            <span>Today</span>
          </div>
        </>
      )}
    </Loaded>
  )
}
