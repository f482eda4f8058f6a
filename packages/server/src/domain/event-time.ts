/** Further back nothing is believed: who is offline for longer is heard at arrival. */
const longestMs = 86_400_000

/**
 * When an event happened, by our clock.
 * @param at by the sender's clock; undefined where it does not say
 * @param aheadMs by how much that clock is ahead of ours
 */
export function eventTime(at: number | undefined, aheadMs: number, received: number): number {
  if (at === undefined) return received
  return Math.round(Math.min(received, Math.max(received - longestMs, at - aheadMs)))
}

/**
 * By how much the clock of a sender is ahead of ours. Where it does not say when it sent, only what is from the future shows it.
 * @param newest the latest time that it says of an event
 */
export function clockAhead(sentAt: number | undefined, newest: number | undefined, received: number): number {
  if (sentAt !== undefined && Number.isFinite(sentAt)) return sentAt - received
  return newest === undefined ? 0 : Math.max(0, newest - received)
}
