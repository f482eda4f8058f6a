import type { FastifyRequest } from 'fastify'

/** What a route says of itself beyond its path, where it differs from the API's. */
export interface RouteConfig {
  /** Media type of an answer that is not JSON. */
  produces?: string | undefined
  /** Media type of a body that a form of a page sends. */
  takes?: string | undefined
  /** Anybody asks: of the server's disk and database they learn nothing. */
  isPublic?: boolean
  /** `own`: it answers pages of other origins itself, preflights included. */
  cors?: 'own'
  /** Headers that pages of other origins may send beyond the API's. */
  corsHeaders?: string[]
  /** What `WWW-Authenticate` says; `Bearer` if absent. */
  challenge?: string
}

export function configOf(request: FastifyRequest): RouteConfig {
  return request.routeOptions.config as RouteConfig
}
