import { ApiError } from '@watchpost/contract'
import {
  ConflictError,
  holdTeam,
  type Query,
  roomForChannel,
  roomForProbe,
  roomForStatusPage,
  type Step,
  teamById,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { type Limited, overPlan, planLimit } from '../domain/plans.ts'

const rooms: Record<Limited, Query> = { servers: roomForProbe, status_pages: roomForStatusPage }

/**
 * Steps that come before those that make so many more of these: the commit is undone where the team's plan, as it is by
 * now, does not include them (ruling 22). Each that is made needs a {@link Room.before} of its own.
 */
export interface Room {
  /** Held first, so that of two who make the last one at the same moment the second sees the first's. */
  hold: Step[]
  before: Step[]
  /** @throws {ApiError} where the commit failed for want of room: forbidden, naming the plan above, or conflict */
  explain(error: unknown): void
}

export async function roomWithinPlan(context: Pick<Context, 'db'>, team_id: number, of: Limited): Promise<Room> {
  const plan = (await context.db.one(teamById, { id: team_id }))?.plan ?? ''
  const limit = planLimit(plan, of)
  if (limit === null) return { hold: [], before: [], explain: () => undefined }
  const room = rooms[of]
  return {
    hold: [{ query: holdTeam, params: { team_id } }],
    before: [{ query: room, params: { team_id, limit }, expect: 1 }],
    explain(error) {
      if (error instanceof ConflictError && error.query === room.name) {
        throw new ApiError('forbidden', overPlan(plan, of))
      }
    },
  }
}

const mostChannels = 100

/** Room for channels, of which every team may have as many, whatever its plan. */
export function roomForChannels(team_id: number): Room {
  return {
    hold: [{ query: holdTeam, params: { team_id } }],
    before: [{ query: roomForChannel, params: { team_id, limit: mostChannels }, expect: 1 }],
    explain(error) {
      if (error instanceof ConflictError && error.query === roomForChannel.name) {
        throw new ApiError('conflict', `A team has ${mostChannels} channels at most; delete one that is not needed`)
      }
    },
  }
}

/** Commits what makes one more of these, if the team's plan includes one more. */
export async function commitWithinPlan(context: Pick<Context, 'db'>, team_id: number, of: Limited, ...make: Step[]) {
  return commitWithin(context, await roomWithinPlan(context, team_id, of), ...make)
}

/** Commits what makes one more, if there is room for it. */
export async function commitWithin({ db }: Pick<Context, 'db'>, { hold, before, explain }: Room, ...make: Step[]) {
  try {
    return (await db.commit([...hold, ...before, ...make])).slice(hold.length + before.length)
  } catch (error) {
    explain(error)
    throw error
  }
}
