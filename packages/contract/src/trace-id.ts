import { hash } from 'node:crypto'

/**
 * The trace id (W3C Trace Context) of a run: it goes out with an HTTP check, and the target's spans are found by it. It
 * is the start of the SHA-256 of the run id, so it is kept nowhere, and any probe can say it:
 * `printf %s "$run_id" | sha256sum | cut -c1-32`.
 */
export const traceIdOf = (runId: string): string => digestOf(runId).slice(0, 32)

/** The value of `traceparent` for a run: its trace id, a span id of its own, and that the trace is worth keeping. */
export function traceparentOf(runId: string): string {
  const digest = digestOf(runId)
  return `00-${digest.slice(0, 32)}-${digest.slice(32, 48)}-01`
}

// Ids of zeros only are not valid ids; no text is known that has such a hash, and none will be.
const digestOf = (runId: string) => hash('sha256', runId)
