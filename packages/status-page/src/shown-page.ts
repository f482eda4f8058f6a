import type { StatusPayload } from '@watchpost/contract'

/** A page as people see it: the public payload, and the days of each monitor, which would make the payload ten times as large. */
export type ShownPage = Omit<StatusPayload, 'monitors'> & { monitors: ShownMonitor[] }

/** `uptime_history` is empty where `show_uptime` is false. */
export type ShownMonitor = StatusPayload['monitors'][number] & Pick<StatusPayload, 'uptime_history'>
