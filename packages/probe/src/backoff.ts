/** How long to wait between attempts, in milliseconds. */
export interface Backoff {
  firstMs: number
  longestMs: number
}

/**
 * Milliseconds to wait after the `failures`-th failure in a row (from 1): doubling, with a jitter of up to a half so
 * that many probes do not come back at one moment.
 */
export function backoffMs(failures: number, backoff: Backoff, random: () => number = Math.random): number {
  const full = Math.min(backoff.longestMs, backoff.firstMs * 2 ** Math.min(failures - 1, 30))
  return full * (0.5 + random() / 2)
}

/** Whether this failure waits longer than the one before: the moment to say something in the log. */
export function isNewStep(failures: number, backoff: Backoff): boolean {
  return failures <= 1 || backoff.firstMs * 2 ** Math.min(failures - 2, 30) < backoff.longestMs
}
