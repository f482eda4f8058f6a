import type { OutcomeStatus } from '@watchpost/contract'

/** A change of a monitor's verdict, and the one before it. */
export interface Decided {
  decided_at: number
  new_status: string
  /** Nothing before this was decided on; epoch ms. */
  after: number
  regional: boolean
}

interface Checked {
  checked_at: number
  status: OutcomeStatus
  probe_id: number
}

/** Attempts that are shown of one change at most. */
const most = 20

/**
 * The checks that a verdict was decided on, oldest first: of a success the success, of a failure those in a row before it,
 * of several regions those in a row of each probe.
 * @param checks in the order they ran
 */
export function attemptsOf<C extends Checked>(checks: readonly C[], decided: Decided): C[] {
  const { decided_at, after, new_status, regional } = decided
  const before = checks.filter(each => each.checked_at <= decided_at && each.checked_at > after).reverse()
  if (new_status === 'online') return before.filter(each => each.status === 'online').slice(0, 1)
  const over = new Set<number>()
  const attempts: C[] = []
  for (const check of before) {
    if (check.status === 'online') {
      if (!regional) break
      over.add(check.probe_id)
    } else if (check.status === 'offline' && !over.has(check.probe_id)) attempts.push(check)
    if (attempts.length === most) break
  }
  return attempts.reverse()
}
