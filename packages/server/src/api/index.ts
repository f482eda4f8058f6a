import type { routes } from '@watchpost/contract'
import type { Handlers } from '../http/handler.ts'
import { channelHandlers } from './channels.ts'
import { deliveryHandlers } from './deliveries.ts'
import { incidentHandlers } from './incidents.ts'
import { monitorHandlers } from './monitors.ts'
import { probeApiHandlers } from './probe.ts'
import { probeHandlers } from './probes.ts'
import { publicHandlers } from './public.ts'
import { statusPageHandlers } from './status-pages.ts'
import { teamHandlers } from './team.ts'
import { tokenHandlers } from './tokens.ts'

/** A handler for every route of the contract; made per server, since some keep what they computed. */
export function handlers(): Handlers<typeof routes> {
  return {
    ...monitorHandlers,
    ...incidentHandlers,
    ...statusPageHandlers,
    ...channelHandlers,
    ...deliveryHandlers,
    ...tokenHandlers,
    ...probeHandlers,
    ...teamHandlers,
    ...probeApiHandlers,
    ...publicHandlers(),
  }
}
