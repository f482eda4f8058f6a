import { ApiError } from '@watchpost/contract'
import type { ProbeRow } from '@watchpost/store'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { ProbeCaller } from '../http/handler.ts'
import { hashToken } from '../secrets.ts'
import { bearerToken } from './bearer.ts'

/** The Probe API's credential is a probe token; an API token is unknown here, as a probe token is there. */
export const authenticateProbe =
  (context: Context) =>
  (request: FastifyRequest): ProbeCaller | Promise<ProbeCaller> => {
    const admitted = (probe: ProbeRow | undefined): ProbeCaller => {
      if (probe === undefined) throw new ApiError('unauthorized', 'Unauthorized')
      context.seen.probe(probe.team_id, probe.id, context.now(), request.headers['user-agent'])
      return { team_id: probe.team_id, probe_id: probe.id, region: probe.region }
    }
    const found = context.probes.find(hashToken(bearerToken(request)))
    return found instanceof Promise ? found.then(admitted) : admitted(found)
  }
