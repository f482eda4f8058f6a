import type { HostPoint } from '@watchpost/contract'
import type { Column } from '../table.ts'
import { moment } from './time.ts'

/** A share in use; whole numbers are enough to see who is short of something. */
export function share(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : `${Math.round(value)} %`
}

const both = (average: number | null, highest: number | null): string =>
  average === null ? '-' : `${share(average)}, ${share(highest)}`

/** How a machine was: the average of each stretch of time, and the highest. */
export const hostColumns: Column<HostPoint>[] = [
  { title: 'AT', cell: ({ at }) => moment(at), moment: true },
  { title: 'CPU, HIGHEST', cell: point => both(point.cpu_percent, point.cpu_percent_max), right: true },
  { title: 'MEMORY, HIGHEST', cell: point => both(point.memory_percent, point.memory_percent_max), right: true },
  { title: 'DISK', cell: ({ disk_percent }) => share(disk_percent), right: true },
  { title: 'LOAD', cell: ({ load_1 }) => (load_1 === null ? '-' : load_1.toFixed(2)), right: true, optional: 1 },
]
