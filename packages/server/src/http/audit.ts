import type { AuditCounts, Route } from '@watchpost/contract'
import { auditSequence, insertAuditEntry, type Step, takeIds } from '@watchpost/store'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { fieldsNamed, kindOf, subjectOf } from '../domain/audit.ts'
import type { SessionCaller, UserCaller } from './handler.ts'

/** Who asks, and in which team. */
export interface Actor {
  team_id: number
  actor: 'session' | 'token'
  actor_id: number
  actor_name: string
  user_id: number | null
}

/** What the log will say of a request, if it takes effect. */
export interface Audit {
  /** Somebody came in: only now it is known who, or in which team. */
  enter(team_id: number, user: { id: number; email: string }): void
  /** How much an apply changes. */
  count(counts: AuditCounts): void
  /** Steps that belong in the commit of the effect. @param taken ids that the request was given, by noun */
  steps(taken: ReadonlyMap<string, number>): Step[]
}

interface Audited {
  /** The route's name in the contract. */
  operation: string
  entry: Route
  request: FastifyRequest
  caller: unknown
  found: object | undefined
  body: object | undefined
  /** Where it came from. */
  address: string
}

/** Surfaces on which people and their programs change things. */
const audited: ReadonlySet<Route['surface']> = new Set(['user', 'session', 'login', 'registration', 'invitation'])

/** Whether a route writes, and to what a team has: then each of its effects is an entry. */
export function isAudited({ method, surface, path }: Route): boolean {
  return method !== 'GET' && audited.has(surface) && kindOf(path) !== undefined
}

export function auditOf(context: Context, asked: Audited): Audit {
  const { operation, entry, request, found, body, address } = asked
  let actor = actorOf(entry, asked.caller)
  let counts: AuditCounts | null = null
  return {
    enter(team_id, { id, email }) {
      actor = person(team_id, id, email)
    },
    count(given) {
      counts = given
    },
    steps(taken) {
      if (actor === undefined) return []
      const { team_id, user_id } = actor
      const params = request.params as Record<string, string>
      const row = {
        ...actor,
        ...subjectOf({ path: entry.path, params, found, body, taken, team_id, user_id }),
        operation,
        address,
        fields: JSON.stringify(fieldsNamed(body, entry.body)),
        counts: counts === null ? null : JSON.stringify(counts),
        created_at: context.now(),
      }
      // Last in its commit: whoever holds the sequence waits for nobody.
      return [
        { query: takeIds, params: { name: auditSequence, count: 1 } },
        { query: insertAuditEntry, params: row, expect: 1 },
      ]
    },
  }
}

/** Who asks, where the way in says so; visitors say with {@link Audit.enter}. */
function actorOf(entry: Route, caller: unknown): Actor | undefined {
  if (entry.surface === 'user') {
    const { team_id, user_id, session, token } = caller as UserCaller
    if (session !== undefined) return person(team_id, session.user_id, session.email)
    return { team_id, actor: 'token', actor_id: token?.id ?? 0, actor_name: token?.name ?? '', user_id }
  }
  if (entry.surface !== 'session') return undefined
  const { team_id, user_id, email } = (caller as SessionCaller).session
  return person(team_id, user_id, email)
}

const person = (team_id: number, id: number, email: string): Actor => ({
  team_id,
  actor: 'session',
  actor_id: id,
  actor_name: email,
  user_id: id,
})
