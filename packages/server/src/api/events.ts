import { Readable } from 'node:stream'
import { ApiError, type eventRoutes } from '@watchpost/contract'
import type { Handlers } from '../http/handler.ts'
import { follow } from './follow.ts'

/** Followers of one team at a time: each costs two small reads a second. */
const mostFollowers = 100

export function eventHandlers(): Handlers<typeof eventRoutes> {
  const followers = new Map<number, number>()
  return {
    async streamEvents({ caller, context, headers, stillMay }) {
      const { team_id } = caller
      const others = followers.get(team_id) ?? 0
      if (others >= mostFollowers) {
        throw new ApiError('unavailable', `${mostFollowers} clients of this team follow its events already`, {
          retryAfter: 60,
        })
      }
      followers.set(team_id, others + 1)
      const lastId = headers['last-event-id']
      const events = follow(
        context,
        team_id,
        typeof lastId === 'string' ? lastId : undefined,
        // Revoked means refused at once, for what was begun before as well.
        stillMay,
        context.stopping,
      )
      const body = Readable.from(events)
      body.once('close', () => followers.set(team_id, (followers.get(team_id) ?? 1) - 1))
      // A proxy that gathers what it passes on would hold the events back.
      return { body, headers: { 'cache-control': 'no-store', 'x-accel-buffering': 'no' } }
    },
  }
}
