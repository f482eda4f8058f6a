import type { Host, Metrics } from '@watchpost/contract'
import { useCallback, useMemo, useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { bytes, duration } from '../../core/format.ts'
import { Chart, type Line } from '../../ui/chart.tsx'
import { Card } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Ago } from '../../ui/time.tsx'

/** The machine that a probe runs on: how it is, and how it was. */
export function HostCards({ id, host }: { id: string; host: Host | null | undefined }) {
  return (
    <>
      {host != null && <Facts host={host} />}
      <Course id={id} />
    </>
  )
}

const share = (value: number | null) => (value === null ? '–' : `${Math.round(value)} %`)

function Facts({ host }: { host: Host }) {
  const of = (used: number | null, all: number | null) =>
    used === null || all === null ? undefined : `${bytes(used)} of ${bytes(all)}`
  const rows: [string, string, string | undefined][] = [
    ['Processor', share(host.cpu_percent), host.cpu_count === null ? undefined : `of ${host.cpu_count} cores`],
    ['Memory', share(host.memory_percent), of(host.memory_used_bytes, host.memory_total_bytes)],
    ['Disk', share(host.disk_percent), of(host.disk_used_bytes, host.disk_total_bytes)],
    ['Load', host.load_1 === null ? '–' : host.load_1.toFixed(2), `${host.load_5 ?? '–'}, ${host.load_15 ?? '–'}`],
    ['Up for', host.uptime_s === null ? '–' : duration(host.uptime_s), host.platform ?? undefined],
  ]
  return (
    <div className="card">
      <dl className="facts">
        {rows.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value}
              <small>{note ?? ' '}</small>
            </dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        {host.hostname ?? 'The machine'} told so <Ago at={host.reported_at} />.
      </p>
    </div>
  )
}

const percent = (value: number | null | undefined) => (value == null ? '–' : `${value.toFixed(0)} %`)
const hours = { '1 h': 1, '24 h': 24, '7 d': 168, '30 d': 720 } as const
type Stretch = keyof typeof hours

function Course({ id }: { id: string }) {
  const [stretch, setStretch] = useState<Stretch>('24 h')
  const known = useQuery(`monitor/${id}/host/${stretch}`, async () => {
    const from = new Date(Date.now() - hours[stretch] * 3_600_000).toISOString()
    return (await api.getMonitorMetrics({ params: { id }, query: { from } })).data
  })
  return (
    <Card
      title="Machine"
      actions={
        <Segmented
          legend="Stretch of time"
          words={Object.keys(hours) as Stretch[]}
          value={stretch}
          onChange={setStretch}
        />
      }
    >
      <Loaded of={known} lines={6}>
        {metrics =>
          metrics.host === undefined || metrics.host.length === 0 ? (
            <p className="quiet">Nothing was told of the machine in this time.</p>
          ) : (
            <Drawn metrics={metrics} points={metrics.host} />
          )
        }
      </Loaded>
    </Card>
  )
}

function Drawn({ metrics, points }: { metrics: Metrics; points: NonNullable<Metrics['host']> }) {
  const times = useMemo(() => points.map(point => Date.parse(point.at) / 1000), [points])
  const lines = useMemo<Line[]>(
    () => [
      { label: 'Processor', colour: '--series-1', values: points.map(point => point.cpu_percent), fill: true },
      { label: 'Memory', colour: '--series-2', values: points.map(point => point.memory_percent) },
      { label: 'Disk', colour: '--series-3', values: points.map(point => point.disk_percent) },
    ],
    [points],
  )
  const range = useMemo<[number, number]>(() => {
    const [from, to] = [Date.parse(metrics.from) / 1000, Date.parse(metrics.to) / 1000]
    return [Math.max(from, Math.min(times[0] ?? from, to - 300)), to]
  }, [metrics, times])
  const stay = useCallback(() => undefined, [])
  return (
    <Chart
      times={times}
      lines={lines}
      range={range}
      format={percent}
      onZoom={stay}
      label="Processor, memory and disk in use"
    />
  )
}
