import { randomBytes } from 'node:crypto'

/** Unique among processes by its beginning, and within one by its end: random bytes for each would cost more. */
const ownIds = randomBytes(6).toString('base64url')
let requests = 0

/** What a request is called in the log and in its answer: as the client calls it, or by a name of its own. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : `${ownIds}-${(++requests).toString(36)}`
}
