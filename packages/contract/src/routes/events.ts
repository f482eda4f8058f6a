import Type from 'typebox'
import { route } from '../route.ts'

/** What happens, as it happens. */
export const eventRoutes = {
  streamEvents: route({
    method: 'GET',
    path: '/v1/events',
    surface: 'user',
    role: 'viewer',
    summary: 'Follow what happens in the team',
    description:
      'Server-sent events. Each event that webhooks get comes under its name with the same body and an id; a client ' +
      'that sends the last id it saw as `Last-Event-ID` gets what it missed of the last hour. `monitor.checked` tells ' +
      'of each monitor that was checked: `{ monitor_id, status, response_time_ms, last_check_at }`. Counts as one ' +
      'request, however long it lasts.',
    envelope: 'bare',
    reply: Type.String({ examples: ['event: monitor.checked\ndata: {"monitor_id":7,"status":"online"}\n\n'] }),
    produces: 'text/event-stream',
  }),
}
