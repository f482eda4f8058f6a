import type { Quorum } from '@watchpost/contract'

/** What a region says of a monitor: `silent` where nobody has looked lately, `unsure` before it has made up its mind. */
export type Vote = 'up' | 'down' | 'unsure' | 'silent'

/**
 * Whether enough regions see a monitor down (ruling 12). Silence is no vote for either side: `majority` and `all` are of
 * the regions that somebody watches from, so that the last probe alive can still raise the alarm. A number is a
 * number, and never met by fewer.
 */
export function isDown(quorum: Quorum, votes: readonly Vote[]): boolean {
  const down = votes.filter(vote => vote === 'down').length
  if (down === 0) return false
  const voting = votes.filter(vote => vote !== 'silent').length
  switch (quorum) {
    case 'any':
      return true
    case 'majority':
      return down * 2 > voting
    case 'all':
      return down === voting
    default:
      return down >= quorum
  }
}
