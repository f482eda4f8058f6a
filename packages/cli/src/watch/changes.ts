import type { Monitor } from '@watchpost/contract'

/** A monitor whose status is not what it was. `from` is null when it is seen for the first time. */
export interface Change {
  monitor: Monitor
  from: string | null
  to: string
}

/** What happened between two readings, in the order of the later one; monitors that are gone come last. */
export function changesBetween(before: Monitor[], after: Monitor[]): Change[] {
  const old = new Map(before.map(monitor => [monitor.id, monitor]))
  const changed: Change[] = []
  for (const monitor of after) {
    const known = old.get(monitor.id)
    const from = known === undefined ? null : String(known.status)
    old.delete(monitor.id)
    if (from !== String(monitor.status)) changed.push({ monitor, from, to: String(monitor.status) })
  }
  for (const monitor of old.values()) changed.push({ monitor, from: String(monitor.status), to: 'deleted' })
  return changed
}

/** `2026-11-21T09:30:00.000Z  online -> offline  Shop front  https://…`, for people and grep. */
export function changeLine({ monitor, from, to }: Change, at: number): string {
  const status = from === null ? to : `${from} -> ${to}`
  return [new Date(at).toISOString(), status, monitor.name, monitor.target].join('  ')
}

/** The same for scripts. */
export function changeRecord({ monitor, from, to }: Change, at: number) {
  const { id, name, type, target, response_time_ms, last_check_at } = monitor
  return {
    at: new Date(at).toISOString(),
    id,
    name,
    type,
    target,
    status: to,
    previous_status: from,
    response_time_ms,
    last_check_at,
  }
}
