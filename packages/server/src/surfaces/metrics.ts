import { ApiError } from '@watchpost/contract'
import { monitorsByStatus, pendingDeliveries } from '@watchpost/store'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type Metric, prometheusText } from '../domain/prometheus.ts'
import { isSameSecret } from '../secrets.ts'
import { version } from '../version.ts'
import { bearerToken } from './bearer.ts'

/**
 * `/metrics`: how the instance itself is, for Prometheus. With `WATCHPOST_METRICS_TOKEN` to who sends it; without one to
 * this host alone, and to nothing that came through a proxy.
 */
export function registerMetrics(app: FastifyInstance, context: Context): void {
  app.get('/metrics', async (request, reply) => {
    requireOperator(request, context.config.metricsToken)
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(prometheusText(await metricsOf(context)))
  })
}

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

function requireOperator(request: FastifyRequest, token: string | undefined): void {
  if (token !== undefined) {
    if (!isSameSecret(bearerToken(request), token)) throw new ApiError('unauthorized', 'Unauthorized')
    return
  }
  const direct = loopback.has(request.socket.remoteAddress ?? '') && !forwarding.some(name => name in request.headers)
  if (!direct) throw new ApiError('not_found', 'Not found')
}

async function metricsOf({ db, now, results, telemetry }: Context): Promise<Metric[]> {
  const [monitors, deliveries] = await Promise.all([db.all(monitorsByStatus, {}), db.one(pendingDeliveries, {})])
  const { user, system } = process.cpuUsage()
  const behind = results.behind()
  const age = (at: number | null | undefined) => (at == null ? 0 : Math.max(0, now() - at) / 1000)
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: [{ value }],
  })
  return [
    { ...gauge('watchpost_info', 'The version that runs.', 1), samples: [{ labels: { version }, value: 1 }] },
    {
      name: 'process_cpu_seconds_total',
      help: 'CPU time of this process in seconds.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Memory of this process in bytes.', process.memoryUsage.rss()),
    gauge('process_uptime_seconds', 'How long this process has run, in seconds.', process.uptime()),
    {
      ...gauge('watchpost_monitors', 'Monitors of all teams by status.', 0),
      samples: monitors.map(({ status, count }) => ({ labels: { status }, value: count })),
    },
    gauge('watchpost_deliveries_pending', 'Messages that have not arrived yet.', deliveries?.count ?? 0),
    gauge('watchpost_deliveries_oldest_seconds', 'Age of the oldest of them in seconds.', age(deliveries?.oldest_at)),
    gauge('watchpost_results_behind_monitors', 'Monitors whose rows are behind the journal.', behind?.monitors ?? 0),
    gauge('watchpost_telemetry_waiting_bytes', 'Bodies of telemetry that are not kept yet.', telemetry.waitingBytes),
    gauge('watchpost_telemetry_disk_full', '1 while telemetry is refused for want of space.', Number(telemetry.isFull)),
    gauge('watchpost_results_behind_seconds', 'How long the oldest has been behind, in seconds.', age(behind?.since)),
  ]
}
