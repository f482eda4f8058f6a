import type { CheckRecord, Monitor } from '@watchpost/contract'
import type { Session } from '../session.ts'
import { allPages } from '../verbs/pages.ts'

/** What the watch shows of one monitor. */
export interface MonitorWithChecks {
  monitor: Monitor
  /** Newest first. */
  checks: CheckRecord[]
}

/** Where the watch reads from; a test has its own. */
export interface Feed {
  monitors(): Promise<Monitor[]>
  monitor(id: number): Promise<MonitorWithChecks>
}

/** Each reading has a budget of its own: the watch may run for days. */
export function feedOf(session: Session): Feed {
  return {
    async monitors() {
      return (await allPages<Monitor>(session.oneRound(), 'listMonitors')).data
    },
    async monitor(id) {
      const client = session.oneRound()
      const [{ data: monitor }, { data: checks }] = await Promise.all([
        client.getMonitor({ params: { id } }),
        client.listMonitorChecks({ params: { id }, query: { per_page: 100 } }),
      ])
      return { monitor, checks }
    },
  }
}
