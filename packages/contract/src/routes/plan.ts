import Type from 'typebox'
import { route } from '../route.ts'
import { ApplyWrite, Backtest, BacktestWrite, ChangePlan, PlanWrite, Resources } from '../schema/plan.ts'

/** Ten thousand monitors, each with options. */
const largestBody = 16_777_216

/** Monitoring as code (an extension of the specification). */
export const planRoutes = {
  getFileSchema: route({
    method: 'GET',
    path: '/schema.json',
    surface: 'public',
    summary: 'JSON Schema of files that can be applied, for editors',
    envelope: 'bare',
    reply: Type.Record(Type.String(), Type.Unknown()),
  }),
  exportResources: route({
    method: 'GET',
    path: '/v1/export',
    surface: 'user',
    role: 'member',
    summary: 'Everything that files may hold, as files hold it',
    description:
      'To apply it changes nothing. Secrets are left out or masked; a mask that is applied means “as it was”.',
    envelope: 'item',
    reply: Resources,
  }),
  planResources: route({
    method: 'POST',
    path: '/v1/plan',
    surface: 'user',
    role: 'member',
    summary: 'What an apply would change',
    body: PlanWrite,
    largestBody,
    envelope: 'item',
    reply: ChangePlan,
    changesNothing: true,
  }),
  applyResources: route({
    method: 'POST',
    path: '/v1/apply',
    surface: 'user',
    role: 'member',
    summary: 'Make the server as files say',
    description:
      'As one unit: all of it or nothing. Channels need the role admin, status pages the scope status-pages:write, as ever.',
    body: ApplyWrite,
    largestBody,
    envelope: 'updated',
    reply: ChangePlan,
    message: 'Applied',
  }),
  backtestResources: route({
    method: 'POST',
    path: '/v1/backtest',
    surface: 'user',
    role: 'viewer',
    summary: 'Which outages files would have seen',
    description: 'Replays the attempts that are stored under the retries and thresholds of the files. Changes nothing.',
    body: BacktestWrite,
    largestBody,
    envelope: 'item',
    reply: Backtest,
    changesNothing: true,
  }),
}
