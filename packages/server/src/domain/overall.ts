import type { CurrentStatus, MonitorStatus, OverallStatus } from '@watchpost/contract'

/**
 * A monitor's status as a page says it (ruling 9): pending and paused are unknown, which is not down. Nor is what does not
 * answer in maintenance: nobody can say then whether it would. What nobody has looked at lately is unknown, whatever
 * was last seen.
 */
export function currentStatus(status: MonitorStatus, planned: boolean, silent = false): CurrentStatus {
  if (silent) return 'unknown'
  if (status === 'online') return 'operational'
  return status === 'offline' && !planned ? 'down' : 'unknown'
}

/** Specification 2.3, rule 2: partial while any is down. */
export function overallStatus(monitors: Iterable<{ current_status: CurrentStatus }>): OverallStatus {
  for (const { current_status } of monitors) if (current_status === 'down') return 'partial'
  return 'operational'
}

interface Grouped {
  group_name: string
  order_index: number
  current_status: CurrentStatus
}

/** Groups in the order of their smallest order_index, then name (ruling 25). */
export function groupMonitors<M extends Grouped>(
  monitors: M[],
): { name: string; status: OverallStatus; monitors: M[] }[] {
  const groups = Map.groupBy(monitors, monitor => monitor.group_name)
  const smallest = (members: M[]) => Math.min(...members.map(member => member.order_index))
  return [...groups]
    .map(([name, members]) => ({ name, status: overallStatus(members), monitors: members }))
    .sort((a, b) => smallest(a.monitors) - smallest(b.monitors) || (a.name < b.name ? -1 : 1))
}
