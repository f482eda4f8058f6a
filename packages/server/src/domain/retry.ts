const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

/**
 * Pauses between the attempts to deliver an event. The tail is the example of Standard Webhooks (three days in all);
 * the head is denser, because an alert that waits five minutes for a receiver's restart comes too late.
 */
const ladder = [
  ...[5, 10, 15, 30].map(count => count * seconds),
  ...[1, 2, 5, 30].map(count => count * minutes),
  ...[2, 5, 10, 14, 20, 24].map(count => count * hours),
]

/**
 * When to try again after `attempts` failures.
 * @param retryAfterS what the receiver asked for; it can lengthen the pause, not shorten it
 * @param random 0 to 1: up to a tenth is added, so that a thousand deliveries do not come back at once
 * @returns epoch ms, or null when it is time to give up
 */
export function nextAttemptAt(attempts: number, now: number, random: number, retryAfterS = 0): number | null {
  const pause = ladder[attempts - 1]
  if (pause === undefined) return null
  return now + Math.max(pause * (1 + random / 10), Math.min(retryAfterS * seconds, 24 * hours))
}
