/** A clock that differs by less is as right as can be told: answers say the second, and take their time. */
const tooLittleMs = 2000

let aheadMs = 0

/** Learns how far the server's clock is ahead of this one. @param date the `Date` header of an answer that just came */
export function learnTime(date: string | null): void {
  const said = Date.parse(date ?? '')
  if (Number.isNaN(said)) return
  const ahead = said + 500 - Date.now()
  aheadMs = Math.abs(ahead) < tooLittleMs ? 0 : ahead
}

/** What time it is on the server, epoch ms: times in answers are by its clock, whatever the one here says. */
export const serverNow = (): number => Date.now() + aheadMs
