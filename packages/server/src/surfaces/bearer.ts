import { ApiError } from '@watchpost/contract'
import type { FastifyRequest } from 'fastify'

/**
 * The token of `Authorization: Bearer <token>`, exactly one space (specification 5.2, ruling 14).
 * @throws {ApiError} unauthorized when the header is missing, malformed or there twice
 */
export function bearerToken(request: FastifyRequest): string {
  const headers = request.raw.headersDistinct.authorization ?? []
  const match = headers.length === 1 ? /^Bearer ([\w.~+/=-]{1,200})$/.exec(headers[0] as string) : null
  if (match === null) throw new ApiError('unauthorized', 'Unauthorized')
  return match[1] as string
}
