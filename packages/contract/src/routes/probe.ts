import Type from 'typebox'
import { route } from '../route.ts'
import { CheckResult } from '../schema/check.ts'
import { Heard, Heartbeat } from '../schema/host.ts'
import { BatchVerdict, DueChecks, Verdict } from '../schema/probe.ts'

/** Results that one request may carry. */
export const resultsPerRequest = 1000

/** Probe API (specification 4.4); the only routes a probe token opens. */
export const probeApiRoutes = {
  getChecks: route({
    method: 'GET',
    path: '/v1/probe/get-checks',
    surface: 'probe',
    summary: 'Fetch pending checks',
    description:
      'What is due and not leased by any probe, itself included. A lease lasts twice the timeout and 30 s; ' +
      'with a horizon, until the horizon has passed.',
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
      horizon: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 3600, default: 0, description: 'Seconds ahead to fetch and hold.' }),
      ),
      release: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'First give up all that this probe was leased: it has just started, and holds nothing.',
        }),
      ),
    }),
    envelope: 'bare',
    reply: DueChecks,
  }),
  submitResult: route({
    method: 'POST',
    path: '/v1/probe/check-result',
    surface: 'probe',
    summary: 'Submit a check result',
    description: 'Answered once the result is durable. The same `run_id` twice is one check.',
    body: CheckResult,
    envelope: 'updated',
    reply: Verdict,
    message: 'Result accepted',
  }),
  submitResults: route({
    method: 'POST',
    path: '/v1/probe/check-results',
    surface: 'probe',
    summary: 'Submit many check results',
    description: 'Answered per result, in order; a refused one does not hold up the others.',
    body: Type.Object(
      {
        // Each result is judged by itself, so that one bad result does not refuse the others.
        results: Type.Array(Type.Unsafe<CheckResult>(Type.Unknown()), { minItems: 1, maxItems: resultsPerRequest }),
      },
      { additionalProperties: true },
    ),
    envelope: 'bare',
    reply: Type.Object({ data: Type.Array(BatchVerdict) }),
  }),
  submitHeartbeat: route({
    method: 'POST',
    path: '/v1/probe/heartbeat',
    surface: 'probe',
    summary: 'Say that the probe lives, and how its machine is',
    description:
      'Keeps the `server` monitor of the probe online. A probe that sends none is taken to live while it fetches or reports.',
    body: Heartbeat,
    envelope: 'updated',
    reply: Heard,
    message: 'Heard',
  }),
}
