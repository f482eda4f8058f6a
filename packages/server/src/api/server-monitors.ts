import {
  grantServerMonitor,
  insertMonitorState,
  insertServerMonitor,
  probeIsWatched,
  type Step,
} from '@watchpost/store'
import { heartbeatIntervalS } from '../domain/monitor-settings.ts'

/** A probe, and the team that is shown its monitor: its own, or for one of the instance the operator's. */
export interface ProbeToWatch {
  team_id: number
  probe_id: number
  name: string
}

/** Makes the `server` monitor of a probe (ruling 8). It has no due time, so it is never leased. */
export function serverMonitorSteps({ team_id, probe_id, name }: ProbeToWatch, id: number, now: number): Step[] {
  const timeout_s = Math.min(10, heartbeatIntervalS - 1)
  const settings = { team_id, id, name, interval_s: heartbeatIntervalS, timeout_s, created_at: now, probe_id }
  return [
    { query: insertServerMonitor, params: settings, expect: 1 },
    { query: insertMonitorState, params: { team_id, monitor_id: id, status: 'pending', due_at: null } },
    { query: grantServerMonitor, params: { team_id, monitor_id: id, probe_id } },
    // Whoever makes a monitor for a probe that has none yet must be the first.
    { query: probeIsWatched, params: { probe_id }, expect: 1 },
  ]
}
