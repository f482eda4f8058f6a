import {
  forgetAuditEntries,
  forgetDeliveries,
  forgetEvents,
  forgetKeys,
  forgetLostLeases,
  forgetMails,
  forgetUnconfirmed,
  forgetVerdicts,
} from '@watchpost/store'
import { confirmWithinMs } from '../api/subscribers.ts'
import type { Context } from '../context.ts'
import { keptForMs } from '../http/idempotency.ts'
import { Repeating } from './repeating.ts'

/** How long the logs of deliveries and verdicts go back. */
const keptMs = 30 * 86_400_000
/** How long it is known who changed what. */
const auditKeptMs = 365 * 86_400_000
/** Rows that one commit deletes: others wait for it. */
const batch = 500

/**
 * Forgets old deliveries, the events that no delivery needs any more, keys of requests that may mean new ones, old
 * verdicts, who changed what a year ago, and leases that have run out since they were taken away.
 */
export function forgetting(context: Context): Repeating {
  return new Repeating('old deliveries and keys', 3_600_000, context.log, signal => forget(context, signal))
}

export async function forget({ db, now }: Pick<Context, 'db' | 'now'>, signal?: AbortSignal): Promise<void> {
  const old = [
    { query: forgetDeliveries, before: now() - keptMs },
    { query: forgetEvents, before: now() - keptMs },
    { query: forgetKeys, before: now() - keptForMs },
    { query: forgetUnconfirmed, before: now() - confirmWithinMs },
    { query: forgetMails, before: now() - 7 * 86_400_000 },
    { query: forgetVerdicts, before: now() - keptMs },
    { query: forgetAuditEntries, before: now() - auditKeptMs },
    { query: forgetLostLeases, before: now() },
  ]
  for (const { query, before } of old) {
    for (;;) {
      const [gone = []] = await db.commit([{ query, params: { before, limit: batch } }])
      if (gone.length < batch || signal?.aborted) break
    }
  }
}
