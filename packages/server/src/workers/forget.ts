import { forgetDeliveries, forgetEvents } from '@watchpost/store'
import type { Context } from '../context.ts'
import { Repeating } from './repeating.ts'

/** How long the log of deliveries goes back. */
const keptMs = 30 * 86_400_000
/** Rows that one commit deletes: others wait for it. */
const batch = 500

/** Forgets old deliveries, and the events that no delivery needs any more. */
export function forgetting(context: Context): Repeating {
  return new Repeating('old deliveries', 3_600_000, context.log, signal => forget(context, signal))
}

export async function forget({ db, now }: Pick<Context, 'db' | 'now'>, signal?: AbortSignal): Promise<void> {
  const before = now() - keptMs
  for (const query of [forgetDeliveries, forgetEvents]) {
    for (;;) {
      const [gone = []] = await db.commit([{ query, params: { before, limit: batch } }])
      if (gone.length < batch || signal?.aborted) break
    }
  }
}
