import { type Monitor, uptimeStretches } from '@watchpost/contract'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { milliseconds, percent, spaced } from '../../core/format.ts'
import { Ago } from '../../ui/time.tsx'

const days: Record<string, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }

/** The last look, and the uptime of the day, the week, the month and the quarter. */
export function Figures({ monitor }: { monitor: Monitor }) {
  const { id } = monitor
  const known = useQuery(`monitor/${id}/figures`, async () => {
    const now = Date.now()
    const answers = await Promise.all(
      uptimeStretches.map(stretch => {
        const length = days[stretch] ?? 1
        const from = new Date(now - length * 86_400_000).toISOString()
        const resolution = length <= 1 ? '5m' : length <= 7 ? '1h' : '1d'
        return api.getMonitorMetrics({ params: { id }, query: { from, resolution } })
      }),
    )
    return answers.map(({ data }, index) => ({ stretch: uptimeStretches[index] ?? '24h', ...data }))
  })
  return (
    <div className="card">
      <dl className="facts">
        <div>
          <dt>{monitor.type === 'server' ? 'Last heard' : 'Last response'}</dt>
          <dd>
            {monitor.type === 'server' ? (
              <Ago at={monitor.last_check_at} />
            ) : (
              <>
                {milliseconds(monitor.response_time_ms)}
                <small>
                  <Ago at={monitor.last_check_at} none="not checked yet" />
                </small>
              </>
            )}
          </dd>
        </div>
        {uptimeStretches.map(stretch => {
          const one = known.data?.find(each => each.stretch === stretch)
          return (
            <div key={stretch}>
              <dt>Uptime, {spaced(stretch)}</dt>
              <dd>
                {percent(one?.uptime)}
                <small>
                  {one === undefined ? ' ' : one.coverage === 0 ? 'not watched' : `${percent(one.coverage)} watched`}
                </small>
              </dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}
