import { type Monitor, type MonitorStatus, silentAfterMs } from '@watchpost/contract'

/** How a monitor is now, as far as anybody knows: nobody has looked lately at one that is `unwatched`. */
export type State = MonitorStatus | 'unwatched'

/** The order they are told in. */
export const states: readonly State[] = ['online', 'offline', 'unwatched', 'pending', 'paused']

/** What a verdict of long ago says nothing of is neither online nor offline. */
export function stateOf({ status, watched }: Pick<Monitor, 'status' | 'watched'>): State {
  return !watched && (status === 'online' || status === 'offline') ? 'unwatched' : status
}

/** The state in a word or two. */
export const stateWord = (state: State): string => (state === 'unwatched' ? 'not watched' : state)

/** When nobody has looked at it for too long, if nobody does until then: epoch ms by the server's clock. */
export function silentAt({ last_check_at, interval, timeout }: Monitor): number {
  return last_check_at === null
    ? Number.POSITIVE_INFINITY
    : Date.parse(last_check_at) + silentAfterMs(interval, timeout)
}

/** The monitor as it is at a later time, when nothing was heard since: the same object where that changes nothing. */
export function lookedAfter(monitor: Monitor, now: number): Monitor {
  return monitor.watched && silentAt(monitor) <= now ? { ...monitor, watched: false } : monitor
}
