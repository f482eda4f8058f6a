import { ApiError } from '@watchpost/contract'
import {
  ConflictError,
  holdTeam,
  type Query,
  roomForProbe,
  roomForStatusPage,
  type Step,
  teamById,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { type Limited, overPlan, planLimit } from '../domain/plans.ts'

const rooms: Record<Limited, Query> = { servers: roomForProbe, status_pages: roomForStatusPage }

/**
 * Commits what makes one more of these, if the team's plan, as it is by now, includes one more (ruling 22).
 * @throws {ApiError} forbidden, naming the plan above
 */
export async function commitWithinPlan(context: Pick<Context, 'db'>, team_id: number, of: Limited, ...make: Step[]) {
  const plan = (await context.db.one(teamById, { id: team_id }))?.plan ?? ''
  const limit = planLimit(plan, of)
  if (limit === null) return context.db.commit(make)
  const room = rooms[of]
  try {
    // Held first, so that of two who make the last one at the same moment the second sees the first's.
    const [, , ...made] = await context.db.commit([
      { query: holdTeam, params: { team_id } },
      { query: room, params: { team_id, limit }, expect: 1 },
      ...make,
    ])
    return made
  } catch (error) {
    if (error instanceof ConflictError && error.query === room.name) throw new ApiError('forbidden', overPlan(plan, of))
    throw error
  }
}
