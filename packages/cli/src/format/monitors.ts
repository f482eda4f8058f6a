import type { CheckRecord, Monitor, MonitorStatus } from '@watchpost/contract'
import type { Tone } from '../table.ts'
import type { View } from '../view.ts'
import { ago, moment } from './time.ts'

const tones: Record<MonitorStatus, Tone> = { online: 'good', offline: 'bad', pending: 'warn', paused: 'dim' }

const unknown = 'unknown'

/** Whether a monitor has a status that nobody has looked after lately. */
export function isUnknown({ watched, status }: Pick<Monitor, 'watched' | 'status'>): boolean {
  return watched === false && ['online', 'offline'].includes(String(status))
}

/** The status for people: what nobody watches is neither online nor offline. */
export const sayStatus = (monitor: Pick<Monitor, 'watched' | 'status'>): string =>
  isUnknown(monitor) ? unknown : String(monitor.status)

/** What a status means at a glance; undefined for a word this program does not know yet. */
export function statusTone(status: string): Tone | undefined {
  if (status === 'error' || status === unknown) return 'warn'
  return tones[status as MonitorStatus]
}

/** Whole milliseconds say nothing of what takes few of them. */
export function inTenths(ms: number): string {
  return ms < 10 ? String(Math.round(ms * 10) / 10) : String(Math.round(ms))
}

export function milliseconds(value: number | null): string {
  return value === null ? '-' : `${inTenths(value)} ms`
}

/** Never rounds up to 100: a failure must stay visible. */
export function percent(value: number | null): string {
  if (value === null) return '-'
  return value === 100 ? '100 %' : `${(Math.floor(value * 100) / 100).toFixed(2)} %`
}

export const monitorView: View<Monitor> = {
  singular: 'monitor',
  plural: 'monitors',
  name: monitor => monitor.name,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    { title: 'STATUS', cell: sayStatus, tone: monitor => statusTone(sayStatus(monitor)) },
    { title: 'NAME', cell: ({ name }) => name, least: 12 },
    { title: 'TYPE', cell: ({ type }) => String(type), optional: 3 },
    { title: 'TARGET', cell: ({ target }) => target, least: 14 },
    { title: 'RESPONSE', cell: monitor => milliseconds(monitor.response_time_ms), right: true, optional: 1 },
    { title: '24 H', cell: monitor => percent(monitor.uptime_24h), right: true, optional: 2 },
    { title: 'CHECKED', cell: (monitor, now) => ago(monitor.last_check_at, now), optional: 4 },
  ],
}

export const checkView: View<CheckRecord> = {
  singular: 'check',
  plural: 'checks',
  name: check => check.run_id,
  columns: [
    { title: 'CHECKED', cell: check => moment(check.checked_at), moment: true },
    { title: 'STATUS', cell: ({ status }) => String(status), tone: ({ status }) => statusTone(String(status)) },
    { title: 'RESPONSE', cell: check => milliseconds(check.response_time_ms), right: true, optional: 1 },
    { title: 'PROBE', cell: check => check.probe ?? '-', least: 8, optional: 2 },
    { title: 'REGION', cell: check => check.region ?? '-', least: 8, optional: 3 },
    { title: 'ERROR', cell: check => error(check), tone: () => 'bad', least: 24 },
  ],
}

function error(check: CheckRecord): string {
  return [check.error_kind, check.error_message].filter(part => part !== null).join(': ')
}
