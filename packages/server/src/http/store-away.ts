import { ApiError } from '@watchpost/contract'
import type { Unavailable, UnavailableError } from '@watchpost/store'

/** What whoever runs the server is to do, and the seconds after which trying again can help. */
const mends: Record<Unavailable, [message: string, retryAfter: number]> = {
  full: ['The disk that the server keeps its data on is full; make room on it and try again', 60],
  broken: [
    'The disk that the server keeps its data on does not take it; its log has the reason, try again after that',
    60,
  ],
  busy: ['Another program holds the database for long; try again', 5],
  slow: ['The database did not answer in time; ask for less at once, or try again when it has less to do', 5],
  crowded: ['The database server has no connection or memory left for this; give it more, or try again', 5],
  unreachable: ['The database server cannot be reached; see that it runs and try again', 5],
}

const forVisitors = 'This is not available for a moment; try again'

/**
 * A store that cannot do its work, as the API tells it: nothing was written, and the same may be sent again.
 * @param isPublic whether anybody may ask, who can mend nothing
 */
export function storeAway({ why }: UnavailableError, isPublic = false): ApiError {
  const [message, retryAfter] = isPublic ? [forVisitors, mends[why][1]] : mends[why]
  return new ApiError('unavailable', message, { retryAfter })
}
