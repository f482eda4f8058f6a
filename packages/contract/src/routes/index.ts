import { appRoutes } from './apps.ts'
import { assignmentRoutes } from './assignments.ts'
import { auditRoutes } from './audit.ts'
import { channelRoutes } from './channels.ts'
import { deliveryRoutes } from './deliveries.ts'
import { eventRoutes } from './events.ts'
import { incidentRoutes } from './incidents.ts'
import { invitationRoutes } from './invitations.ts'
import { maintenanceRoutes } from './maintenance.ts'
import { memberRoutes } from './members.ts'
import { monitorRoutes } from './monitors.ts'
import { planRoutes } from './plan.ts'
import { previewRoutes } from './preview.ts'
import { probeApiRoutes } from './probe.ts'
import { probeRoutes } from './probes.ts'
import { publicRoutes } from './public.ts'
import { rumRoutes } from './rum.ts'
import { sessionRoutes } from './session.ts'
import { statusPageRoutes } from './status-pages.ts'
import { subscriberRoutes } from './subscribers.ts'
import { teamRoutes } from './team.ts'
import { telemetryRoutes } from './telemetry.ts'
import { tokenRoutes } from './tokens.ts'
import { usageRoutes } from './usage.ts'

/** The whole contract, one entry a route, by operation name. */
export const routes = {
  ...monitorRoutes,
  ...incidentRoutes,
  ...eventRoutes,
  ...maintenanceRoutes,
  ...planRoutes,
  ...statusPageRoutes,
  ...previewRoutes,
  ...subscriberRoutes,
  ...assignmentRoutes,
  ...channelRoutes,
  ...appRoutes,
  ...usageRoutes,
  ...telemetryRoutes,
  ...rumRoutes,
  ...deliveryRoutes,
  ...tokenRoutes,
  ...probeRoutes,
  ...teamRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...auditRoutes,
  ...sessionRoutes,
  ...probeApiRoutes,
  ...publicRoutes,
}
export type RouteName = keyof typeof routes
