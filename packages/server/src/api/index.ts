import type { routes } from '@watchpost/contract'
import type { Handlers } from '../http/handler.ts'
import { appHandlers } from './apps.ts'
import { assignmentHandlers } from './assignments.ts'
import { auditHandlers } from './audit.ts'
import { channelHandlers } from './channels.ts'
import { deliveryHandlers } from './deliveries.ts'
import { eventHandlers } from './events.ts'
import { incidentHandlers } from './incidents.ts'
import { invitationHandlers } from './invitations.ts'
import { maintenanceHandlers } from './maintenance.ts'
import { memberHandlers } from './members.ts'
import { monitorHandlers } from './monitors.ts'
import { planHandlers } from './plan.ts'
import { previewHandlers } from './preview.ts'
import { probeApiHandlers } from './probe.ts'
import { probeHandlers } from './probes.ts'
import { publicHandlers } from './public.ts'
import type { PublishedPages } from './published-status.ts'
import { rumHandlers } from './rum.ts'
import { sessionHandlers } from './session.ts'
import { statusPageHandlers } from './status-pages.ts'
import { subscriberHandlers } from './subscribers.ts'
import { teamHandlers } from './team.ts'
import { telemetryHandlers } from './telemetry.ts'
import { tokenHandlers } from './tokens.ts'
import { usageHandlers } from './usage.ts'

/** A handler for every route of the contract; made per server, since some keep what they computed. */
export function handlers(pages: PublishedPages): Handlers<typeof routes> {
  return {
    ...monitorHandlers,
    ...incidentHandlers,
    ...eventHandlers(),
    ...maintenanceHandlers,
    ...planHandlers,
    ...statusPageHandlers,
    ...previewHandlers,
    ...assignmentHandlers,
    ...channelHandlers,
    ...appHandlers,
    ...usageHandlers,
    ...telemetryHandlers,
    ...rumHandlers,
    ...deliveryHandlers,
    ...tokenHandlers,
    ...probeHandlers,
    ...teamHandlers,
    ...memberHandlers,
    ...invitationHandlers,
    ...auditHandlers,
    ...sessionHandlers,
    ...probeApiHandlers,
    ...subscriberHandlers(pages),
    ...publicHandlers(pages),
  }
}
