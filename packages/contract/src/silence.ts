/**
 * How long after a check nobody is watching any more, ms: three intervals, and never less than a lease that nobody
 * answers for takes. A status that is older says nothing of now. Seconds, as `interval` and `timeout` are.
 */
export function silentAfterMs(interval: number, timeout: number): number {
  return Math.max(3 * interval, interval + 2 * timeout + 30) * 1000
}
