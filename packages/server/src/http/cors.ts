import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimitHeaders } from './rate-limit.ts'
import { configOf } from './route-config.ts'

/** What a script in a browser may read of an answer beyond its body. */
export const exposed = [...rateLimitHeaders, 'Retry-After', 'X-Request-Id', 'ETag', 'Idempotency-Replayed'].join(', ')

const taken = ['Content-Type', 'Authorization']

/**
 * Lets pages of an origin ask, and read the answer, its errors included (specification 5.10).
 * @param origin `*` for every, and never with credentials: a browser sends no cookie along and shows no other site what
 * one of ours would get, so no origin can act in a visitor's name
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', exposed)
  if (request.method !== 'OPTIONS') return
  reply.header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE, OPTIONS')
  reply.header('access-control-allow-headers', [...taken, ...(configOf(request).corsHeaders ?? [])].join(', '))
  reply.header('access-control-max-age', '7200')
}
