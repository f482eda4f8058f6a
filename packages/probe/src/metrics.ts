import type { CheckResult } from '@watchpost/contract'
import { Histogram, type Metric, metricsText } from './metrics-text.ts'
import { version } from './version.ts'

const checkStatuses = ['online', 'offline', 'error'] as const
const durationBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const latenessBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

/** What the parts of the probe count themselves, read when somebody asks. */
export interface Readings {
  ready: boolean
  monitors: number
  running: number
  queued: number
  spooled: number
  spoolBytes: number
  dropped: number
  missed: number
  sent: number
  refused: number
  clockSkewMs: number
}

/** What the probe has done since it started, for Prometheus. */
export class ProbeMetrics {
  readonly #checks = new Map<string, Record<string, number>>()
  readonly #durations = new Map<string, Histogram>()
  readonly #lateness = new Histogram(latenessBounds)
  readonly #polls = { ok: 0, failed: 0 }

  /** A check is over. Milliseconds; late is how long after its slot it began. */
  checked(type: string, status: CheckResult['status'], durationMs: number, lateMs: number): void {
    let counts = this.#checks.get(type)
    let durations = this.#durations.get(type)
    if (counts === undefined || durations === undefined) {
      counts = { online: 0, offline: 0, error: 0 }
      durations = new Histogram(durationBounds)
      this.#checks.set(type, counts)
      this.#durations.set(type, durations)
    }
    counts[status] = (counts[status] ?? 0) + 1
    durations.add(Math.max(0, durationMs) / 1000)
    this.#lateness.add(Math.max(0, lateMs) / 1000)
  }

  polled(ok: boolean): void {
    this.#polls[ok ? 'ok' : 'failed']++
  }

  text(now: Readings): string {
    return metricsText([...this.#own(), ...readings(now), ...processMetrics()])
  }

  #own(): Metric[] {
    const prefix = 'watchpost_probe'
    return [
      {
        name: `${prefix}_checks_total`,
        help: 'Checks done, by type and outcome.',
        type: 'counter',
        samples: [...this.#checks].flatMap(([type, counts]) =>
          checkStatuses.map(status => ({ labels: { type, status }, value: counts[status] ?? 0 })),
        ),
      },
      {
        name: `${prefix}_check_duration_seconds`,
        help: 'How long checks took, from their start to their verdict.',
        type: 'histogram',
        samples: [...this.#durations].flatMap(([type, durations]) => durations.samples({ type })),
      },
      {
        name: `${prefix}_schedule_lateness_seconds`,
        help: 'How long after their slot checks began.',
        type: 'histogram',
        samples: this.#lateness.samples(),
      },
      {
        name: `${prefix}_polls_total`,
        help: 'Times the server was asked for checks.',
        type: 'counter',
        samples: (['ok', 'failed'] as const).map(result => ({ labels: { result }, value: this.#polls[result] })),
      },
    ]
  }
}

function readings(now: Readings): Metric[] {
  const one = (name: string, type: Metric['type'], help: string, value: number): Metric => ({
    name: `watchpost_probe_${name}`,
    help,
    type,
    samples: [{ value }],
  })
  return [
    one('ready', 'gauge', 'Whether checks can be fetched and results kept.', now.ready ? 1 : 0),
    one('monitors', 'gauge', 'Monitors held.', now.monitors),
    one('checks_in_flight', 'gauge', 'Checks running.', now.running),
    one('checks_queued', 'gauge', 'Checks that are due and wait for their turn.', now.queued),
    one('slots_missed_total', 'counter', 'Slots skipped because the check before had not ended.', now.missed),
    one('results_spooled', 'gauge', 'Results the server does not have yet.', now.spooled),
    one('spool_bytes', 'gauge', 'Size of the spool on disk.', now.spoolBytes),
    one('results_dropped_total', 'counter', 'Results given up because the spool was full or too old.', now.dropped),
    one('results_sent_total', 'counter', 'Results the server has taken.', now.sent),
    one('results_refused_total', 'counter', 'Results the server does not want.', now.refused),
    one('clock_skew_seconds', 'gauge', "By how much the server's clock is ahead of this one.", now.clockSkewMs / 1000),
  ]
}

function processMetrics(): Metric[] {
  const { user, system } = process.cpuUsage()
  return [
    {
      name: 'watchpost_probe_build_info',
      help: 'Which probe this is.',
      type: 'gauge',
      samples: [{ labels: { version, node: process.versions.node }, value: 1 }],
    },
    {
      name: 'process_cpu_seconds_total',
      help: 'CPU time spent by the probe itself, without the programs it starts.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
    {
      name: 'process_resident_memory_bytes',
      help: 'Memory in use.',
      type: 'gauge',
      samples: [{ value: process.memoryUsage.rss() }],
    },
    {
      name: 'process_start_time_seconds',
      help: 'When the probe started, in seconds since 1970.',
      type: 'gauge',
      samples: [{ value: Math.round(performance.timeOrigin) / 1000 }],
    },
  ]
}
