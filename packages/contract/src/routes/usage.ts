import { route } from '../route.ts'
import { TopUp, TopUpBalance, Usage } from '../schema/usage.ts'

/** How much of an app's telemetry is taken in (specification 4.8, 8.3). */
export const usageRoutes = {
  getUsage: route({
    method: 'GET',
    path: '/api/observability/apps/{id}/usage',
    surface: 'user',
    role: 'viewer',
    summary: 'What an app has used of its quotas this month',
    envelope: 'bare',
    reply: Usage,
  }),
  topUpApp: route({
    method: 'POST',
    path: '/api/observability/apps/{id}/top-up',
    surface: 'user',
    role: 'admin',
    summary: 'Add to what an app may use beyond its plan',
    description: 'Answers the new balance. It is drawn on once a quota of the month is used up.',
    body: TopUp,
    envelope: 'updated',
    reply: TopUpBalance,
    message: 'Top-up added',
  }),
}
