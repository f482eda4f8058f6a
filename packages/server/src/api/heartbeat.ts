import { ApiError, type CheckResult, type Heard, type Heartbeat, type probeApiRoutes, runId } from '@watchpost/contract'
import { addHostMetrics, putHeartbeat, type ServerMonitorRow, type Step, serverMonitorOf } from '@watchpost/store'
import { figuresOf, keptFacts, shares } from '../domain/host.ts'
import { heartbeatIntervalS } from '../domain/monitor-settings.ts'
import { bucketOf, type Resolution, seriesOf } from '../domain/rollup.ts'
import { exceeded, nextHeartbeatMs, runNonce } from '../domain/server-monitor.ts'
import { slotStart } from '../domain/slot.ts'
import type { Ask } from '../http/handler.ts'
import { iso } from './time.ts'

/** Keeps what a probe says of itself; that it says so is a check of its server monitor, as any other. */
export async function submitHeartbeat({
  body,
  caller,
  context,
}: Ask<typeof probeApiRoutes.submitHeartbeat>): Promise<Heard> {
  const now = context.now()
  const monitor = await context.db.one(serverMonitorOf, { probe_id: caller.probe_id })
  const started_at = body.started_at ? Date.parse(body.started_at) : null
  const { team_id, probe_id } = caller
  const kept = { team_id, probe_id, at: now, started_at, ...keptFacts(body) }
  await context.db.commit([
    { query: putHeartbeat, params: kept },
    ...(monitor === undefined ? [] : metricsSteps(monitor.id, body, now)),
  ])
  if (monitor === undefined) return { monitor_id: null, status: null, next_heartbeat_seconds: heartbeatIntervalS }
  const { id, interval_s } = monitor
  const next_heartbeat_seconds = nextHeartbeatMs(id, interval_s, now) / 1000
  if (monitor.enabled === 0) return { monitor_id: id, status: 'paused', next_heartbeat_seconds }
  const [answer] = await context.results.accept(caller, [resultOf(monitor, body, now)])
  // Deleted in between.
  if (answer instanceof ApiError && answer.code === 'not_found')
    return { monitor_id: null, status: null, next_heartbeat_seconds }
  if (answer === undefined || answer instanceof ApiError) throw answer
  return { monitor_id: id, status: answer.status, next_heartbeat_seconds }
}

const resolutions: Resolution[] = ['5m', '1h', '1d']

function metricsSteps(monitor_id: number, { host = {} }: Heartbeat, now: number): Step[] {
  const figures = figuresOf(host)
  return resolutions.map(resolution => {
    const bucket = bucketOf(now, resolution)
    const params = { series: seriesOf(monitor_id, resolution), bucket, ...figures }
    return { query: addHostMetrics, params }
  })
}

function resultOf(monitor: ServerMonitorRow, { host = {} }: Heartbeat, now: number): CheckResult {
  const { id: monitor_id, interval_s, version } = monitor
  const due_at = slotStart(monitor_id, interval_s, now)
  const run_id = runId({ monitor_id, due_at, nonce: runNonce(version, 'heartbeat') })
  const seen = { monitor_id, run_id, checked_at: iso(now), response_time_ms: null }
  const fault = exceeded(JSON.parse(monitor.options), shares(host))
  if (fault === undefined) return { ...seen, status: 'online' }
  return { ...seen, status: 'offline', error_kind: 'assertion_failed', error_message: fault, details: { host } }
}
