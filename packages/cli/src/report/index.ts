import type { Monitor } from '@watchpost/contract'
import { githubReport } from './github.ts'
import { junitReport } from './junit.ts'

/** Forms that CI systems read. */
export const reporters = ['github', 'junit', 'json'] as const
export type Reporter = (typeof reporters)[number]

const reports: Record<Reporter, (monitors: Monitor[]) => string> = {
  github: githubReport,
  junit: junitReport,
  json: jsonReport,
}

/** The monitors in the form that a CI system reads, with an end of line; pure. */
export function reportOf(reporter: Reporter, monitors: Monitor[]): string {
  return reports[reporter](monitors)
}

function jsonReport(monitors: Monitor[]): string {
  const count = (status: string) => monitors.filter(monitor => String(monitor.status) === status).length
  const counts = { total: monitors.length, online: count('online'), offline: count('offline') }
  const more = { pending: count('pending'), paused: count('paused') }
  return `${JSON.stringify({ ok: counts.offline === 0, counts: { ...counts, ...more }, data: monitors }, null, 2)}\n`
}
