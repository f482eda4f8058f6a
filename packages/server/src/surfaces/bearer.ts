import { ApiError } from '@watchpost/contract'
import type { FastifyRequest } from 'fastify'

/**
 * The token of `Authorization: Bearer <token>`, exactly one space (specification 5.2, ruling 14).
 * @throws {ApiError} unauthorized when the header is missing, malformed or there twice
 */
export function bearerToken(request: FastifyRequest): string {
  const header = timesSent(request.raw.rawHeaders) === 1 ? (request.headers.authorization as string) : ''
  const match = /^Bearer ([\w.~+/=-]{1,200})$/.exec(header)
  if (match === null) throw new ApiError('unauthorized', 'Unauthorized')
  return match[1] as string
}

/** Node keeps the first of several, in silence. */
function timesSent(rawHeaders: readonly string[]): number {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 13 && name.toLowerCase() === 'authorization') times++
  }
  return times
}
