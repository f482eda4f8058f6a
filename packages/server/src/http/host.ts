import { ApiError } from '@watchpost/contract'
import type { FastifyRequest } from 'fastify'
import { type Asked, type Hosts, isServedOn } from '../domain/surface-host.ts'

/** @throws {ApiError} unauthorized on a host that is not the surface's own (specification 5.2, ruling 13) */
export function requireHost(request: FastifyRequest, hosts: Hosts, surface: Asked['surface'], path: string): void {
  const asked = { surface, path, host: request.host, authorized: request.headers.authorization !== undefined }
  if (!isServedOn(hosts, asked)) throw new ApiError('unauthorized', 'Unauthorized')
}
