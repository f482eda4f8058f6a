import { ApiError, type Route } from '@watchpost/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Count } from './rate-limit.ts'

/** Who asks, by the surface's own credential; throws `unauthorized`. */
export type Authenticate<Caller> = (request: FastifyRequest, reply: FastifyReply) => Promise<Caller>

/** How one comes in to a surface: the credential it takes, and whose budget is used. */
export interface Entrance<Caller> {
  authenticate: Authenticate<Caller>
  count: Count<Caller>
  /** What must hold for a write beside the credential; throws `forbidden`. */
  guardWrite?(request: FastifyRequest, caller: Caller): void
}

// biome-ignore lint/suspicious/noExplicitAny: each surface has callers of its own, which only it looks into
export type Entrances = Record<Route['surface'], Entrance<any>>

/**
 * Lets a request in, or not: 401, then 429, then a write that no page of this site sent, and nothing else before them; not even its body has been read. A refused
 * credential is counted as none, so that guessing is limited, too.
 * @returns the hook of a route, after which {@link callerOf} knows who asks
 */
export function admit(entry: Route, entrances: Entrances) {
  const { authenticate, count, guardWrite } = entrances[entry.surface]
  // Pages for people are not counted (ruling 18): a reload must never show one an error.
  const counted = entry.produces !== 'text/html'

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    let caller: unknown
    try {
      caller = await authenticate(request, reply)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) entrances.public.count(request, reply, undefined)
      throw error
    }
    if (counted) count(request, reply, caller)
    if (entry.method !== 'GET') guardWrite?.(request, caller)
    request.setDecorator('caller', caller)
  }
}

/** Who asks, as the surface's credential said. */
export function callerOf(request: FastifyRequest): unknown {
  return request.getDecorator('caller')
}
