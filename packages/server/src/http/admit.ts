import { ApiError, type Route } from '@watchpost/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Hosts } from '../domain/surface-host.ts'
import { requireHost } from './host.ts'
import type { Count } from './rate-limit.ts'

/** Who asks, by the surface's own credential; throws `unauthorized`. A promise only where that must be read. */
export type Authenticate<Caller> = (request: FastifyRequest, reply: FastifyReply) => Caller | Promise<Caller>

/** How one comes in to a surface: the credential it takes, and whose budget is used. */
export interface Entrance<Caller> {
  authenticate: Authenticate<Caller>
  count: Count<Caller>
  /** What must hold for a write beside the credential; throws `forbidden`. */
  guardWrite?(request: FastifyRequest, caller: Caller): void
}

// biome-ignore lint/suspicious/noExplicitAny: each surface has callers of its own, which only it looks into
export type Entrances = Record<Exclude<Route['surface'], 'otlp' | 'rum'>, Entrance<any>>

/**
 * Lets a request in, or not: 401, then 429, then 403 for a write that no page of this site sent, and nothing else before
 * them; not even its body has been read.
 * @returns the hook of a route, after which {@link callerOf} knows who asks
 */
export function admit(entry: Route, entrances: Entrances, hosts: Hosts) {
  const { authenticate, count, guardWrite } = entrances[entry.surface as keyof Entrances]
  // Pages for people and the pictures in them are not counted (ruling 18): a reload must never show one an error.
  const forPeople = entry.produces === 'text/html' || entry.produces?.startsWith('image/')
  const counted = entry.method !== 'GET' || !forPeople
  const ask: Authenticate<unknown> = (request, reply) => {
    requireHost(request, hosts, entry.surface, entry.path)
    return authenticate(request, reply)
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const caller = await whoAsks(request, reply, ask, entrances.public.count)
    if (counted) count(request, reply, caller)
    if (entry.method !== 'GET') guardWrite?.(request, caller)
    request.setDecorator('caller', caller)
  }
}

/**
 * Who asks, by a surface's credential. One that is refused is counted as none, so that guessing is limited, too.
 * @throws {ApiError} unauthorized, or rate_limit_exceeded once there were too many
 */
export async function whoAsks<Caller>(
  request: FastifyRequest,
  reply: FastifyReply,
  authenticate: Authenticate<Caller>,
  refused: Count<void>,
): Promise<Caller> {
  try {
    return await authenticate(request, reply)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) refused(request, reply, undefined)
    throw error
  }
}

/** Who asks, as the surface's credential said. */
export function callerOf(request: FastifyRequest): unknown {
  return request.getDecorator('caller')
}

/** Whether the credential of a request that was let in would still let it in, and to the same team. */
export async function isAdmitted(
  authenticate: Authenticate<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const before = callerOf(request) as { team_id?: number }
  try {
    const now = (await authenticate(request, reply)) as { team_id?: number }
    return now.team_id === before.team_id
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false
    throw error
  }
}
