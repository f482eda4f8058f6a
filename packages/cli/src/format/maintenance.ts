import type { MaintenanceStatus, MaintenanceWindow } from '@watchpost/contract'
import type { Tone } from '../table.ts'
import type { View } from '../view.ts'
import { moment } from './time.ts'

const tones: Record<MaintenanceStatus, Tone | undefined> = { active: 'warn', scheduled: undefined, ended: 'dim' }

export const maintenanceView: View<MaintenanceWindow> = {
  singular: 'maintenance window',
  plural: 'maintenance windows',
  name: window => window.title,
  columns: [
    { title: 'ID', cell: ({ id }) => String(id), right: true },
    {
      title: 'STATUS',
      cell: ({ status }) => String(status),
      tone: ({ status }) => tones[status as MaintenanceStatus],
    },
    { title: 'TITLE', cell: ({ title }) => title, least: 16 },
    { title: 'NEXT START', cell: window => moment(window.next_start_at), moment: true },
    { title: 'NEXT END', cell: window => moment(window.next_end_at), moment: true, optional: 1 },
    { title: 'REPEATS', cell: ({ recurrence }) => repeats(recurrence), optional: 2 },
    { title: 'MONITORS', cell: window => (window.all_monitors ? 'all' : window.monitor_ids.join(', ')), optional: 3 },
  ],
}

/** `weekly: mon, thu`, `every 2 months: 31`, `-`. */
export function repeats(recurrence: MaintenanceWindow['recurrence']): string {
  if (recurrence === null) return '-'
  const { frequency, interval, weekdays, day_of_month } = recurrence
  const units = { daily: 'days', weekly: 'weeks', monthly: 'months' } as const
  const often = interval === 1 ? frequency : `every ${interval} ${units[frequency as keyof typeof units]}`
  const on = weekdays?.map(day => String(day).slice(0, 3)).join(', ') ?? day_of_month
  return on === null ? often : `${often}: ${on}`
}
