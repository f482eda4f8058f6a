import { expect, test } from 'vitest'
import { ProbeMetrics, type Readings } from './metrics.ts'
import { Histogram, metricsText } from './metrics-text.ts'

const quiet: Readings = {
  ready: true,
  monitors: 2,
  running: 1,
  queued: 0,
  spooled: 3,
  spoolBytes: 400,
  dropped: 5,
  missed: 6,
  sent: 7,
  refused: 8,
  clockSkewMs: -1500,
}

test('checks are counted by type and outcome, with how long they took and how late they began', () => {
  const metrics = new ProbeMetrics()
  metrics.checked('http', 'online', 30, 2)
  metrics.checked('http', 'offline', 10_000, -1)
  metrics.polled(false)
  const lines = metrics.text(quiet).split('\n')
  for (const line of [
    'watchpost_probe_checks_total{type="http",status="online"} 1',
    'watchpost_probe_checks_total{type="http",status="offline"} 1',
    'watchpost_probe_checks_total{type="http",status="error"} 0',
    'watchpost_probe_check_duration_seconds_bucket{type="http",le="0.05"} 1',
    'watchpost_probe_check_duration_seconds_bucket{type="http",le="+Inf"} 2',
    'watchpost_probe_check_duration_seconds_sum{type="http"} 10.03',
    'watchpost_probe_schedule_lateness_seconds_bucket{le="0.001"} 1',
    'watchpost_probe_schedule_lateness_seconds_count 2',
    'watchpost_probe_polls_total{result="failed"} 1',
    'watchpost_probe_slots_missed_total 6',
    'watchpost_probe_results_dropped_total 5',
    'watchpost_probe_clock_skew_seconds -1.5',
  ])
    expect(lines).toContain(line)
})

test('every line is one that Prometheus reads, and every sample has its help and type above it', () => {
  const metrics = new ProbeMetrics()
  metrics.checked('ping', 'error', 1, 1)
  const text = metrics.text(quiet)
  expect(text.endsWith('\n')).toBe(true)
  const typed = new Set<string>()
  for (const line of text.trimEnd().split('\n')) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line)
    if (type !== null) typed.add(type[1] as string)
    else if (!line.startsWith('# HELP ')) {
      const name = /^([a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? (\S+)$/.exec(line)
      expect(name, line).not.toBeNull()
      expect(Number(name?.[4])).not.toBeNaN()
      expect(typed).toContain(name?.[1]?.replace(/_(bucket|sum|count)$/, ''))
    }
  }
})

test('labels and help are escaped', () => {
  const samples = [{ labels: { name: 'a "b"\\\n' }, value: 1 }]
  expect(metricsText([{ name: 'm', help: 'a\\\nb', type: 'gauge', samples }])).toBe(
    '# HELP m a\\\\\\nb\n# TYPE m gauge\nm{name="a \\"b\\"\\\\\\n"} 1\n',
  )
})

test('buckets hold all that is not above them', () => {
  const histogram = new Histogram([1, 2])
  for (const value of [1, 1.5, 2, 9]) histogram.add(value)
  expect(histogram.samples().map(({ value }) => value)).toEqual([1, 3, 4, 13.5, 4])
})
