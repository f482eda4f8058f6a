import type { CheckRecord, MonitorStatus, Quorum } from '@watchpost/contract'
import type { Vote } from './quorum.ts'

/** What is known of a monitor, as far as it explains its status. */
export interface Known {
  status: MonitorStatus
  /** Failed checks in a row. */
  failures: number
  confirmations: number
  in_maintenance: boolean
  last_check: Pick<CheckRecord, 'status' | 'probe' | 'response_time_ms' | 'error_kind' | 'error_message'> | null
  /** Whether it should have been checked a while ago: no probe has taken it. */
  overdue: boolean
  /** Nobody looks at it: it is a probe, which is heard from. */
  heard?: boolean
  /** What its regions say; null for a monitor without. */
  regions: { quorum: Quorum; votes: readonly { region: string; vote: Vote }[] } | null
}

/** Why the status is what it is, in sentences, the most important first (ruling 9). */
export function explain(known: Known): string[] {
  const { last_check, in_maintenance, overdue } = known
  const reasons =
    known.regions === null || known.status === 'paused' ? [verdictOf(known)] : regionReasons(known.regions)
  if (last_check?.status === 'offline') reasons.push(`The latest check failed: ${causeOf(last_check)}.`)
  if (last_check?.status === 'error') {
    const by = last_check.probe === null ? 'the probe' : `the probe ${last_check.probe}`
    reasons.push(`At the latest check ${by} could not look, which says nothing of the target: ${causeOf(last_check)}.`)
  }
  if (overdue) reasons.push('It should have been checked by now, but no probe has done so: is one running that may?')
  if (in_maintenance) reasons.push('It is in maintenance: nobody is alerted, and nothing counts against its uptime.')
  return reasons
}

function verdictOf({ status, failures, confirmations, last_check, heard }: Known): string {
  if (heard && failures === 0 && status === 'pending') return 'Its probe has not been heard from yet.'
  if (heard && failures === 0 && status === 'online') return 'Its probe is heard from.'
  switch (status) {
    case 'paused':
      return 'It is paused (enabled is false), so nobody looks.'
    case 'pending':
      return failures === 0
        ? 'Nobody has looked at it yet as it is now.'
        : `${checks(failures)} failed; ${confirmations} are needed for a verdict.`
    case 'online':
      return failures === 0
        ? `The latest check ${last_check?.status === 'error' ? 'that could look ' : ''}succeeded${speedOf(last_check)}.`
        : `${checks(failures)} failed, but ${confirmations} in a row are needed to call it offline.`
    case 'offline':
      return `${checks(failures)} in a row failed, and ${confirmations} make it offline; one success makes it online.`
  }
}

const quorums = { any: 'one is enough', majority: 'more than half of those are needed', all: 'all of those are needed' }

function regionReasons({ quorum, votes }: NonNullable<Known['regions']>): string[] {
  const named = (vote: Vote) => votes.filter(each => each.vote === vote).map(each => each.region)
  const [down, up, unsure, silent] = [named('down'), named('up'), named('unsure'), named('silent')]
  const needed = typeof quorum === 'number' ? `${quorum} are needed` : quorums[quorum]
  const voting = votes.length - silent.length
  const reasons = [
    `${down.length} of ${voting} regions that look see it down${listed(down)}; ${needed} to call it offline.`,
  ]
  if (up.length > 0) reasons.push(`It is up as seen from ${up.join(', ')}.`)
  if (unsure.length > 0) reasons.push(`Not sure yet: ${unsure.join(', ')}.`)
  if (silent.length > 0) reasons.push(`Nobody looks from ${silent.join(', ')}, which is no vote for either side.`)
  return reasons
}

const listed = (names: readonly string[]): string => (names.length === 0 ? '' : ` (${names.join(', ')})`)

const checks = (count: number): string => (count === 1 ? '1 check' : `${count} checks`)

function speedOf(check: Known['last_check']): string {
  const ms = check?.status === 'online' ? check.response_time_ms : null
  return ms === null ? '' : `, in ${Math.round(ms)} ms`
}

function causeOf({ error_kind, error_message }: NonNullable<Known['last_check']>): string {
  const said = error_message?.replace(/[.\s]+$/, '')
  if (said) return error_kind === null ? said : `${said} (${error_kind})`
  return error_kind ?? 'no reason was given'
}
