import Type from 'typebox'
import { route } from '../route.ts'
import { RumReply, RumRequest } from '../schema/rum.ts'

/** Telemetry of browsers (specification 4.7). */
export const ingestRoutes = {
  sendRum: route({
    method: 'POST',
    path: '/v1/ingest',
    surface: 'rum',
    summary: 'Send events of a page',
    description:
      'One event or an array of them, as JSON, also as text/plain (beacons), plain, gzip or deflate; at most 64 KiB an ' +
      'event and 512 KiB a request. What is accepted is durable. Of an array the good ones are kept; 422 if none is good.',
    query: Type.Object({
      sent_at: Type.Optional(
        Type.String({ description: "The sender's clock when it sent this, epoch milliseconds: corrects a wrong one." }),
      ),
    }),
    body: RumRequest,
    envelope: 'item',
    reply: RumReply,
  }),
}
