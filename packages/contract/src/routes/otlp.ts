import Type from 'typebox'
import { route } from '../route.ts'
import { OtlpRequest, OtlpResponse } from '../schema/otlp.ts'

const description =
  'JSON as application/json or protobuf as application/x-protobuf, plain, gzip or deflate; the answer has the same media ' +
  'type. What is acknowledged is durable. 400 and 413 are final, 429 and 503 say when to try again.'
const common = { method: 'POST', surface: 'otlp', description, envelope: 'bare', body: OtlpRequest } as const
const reply = (rejected: string) =>
  OtlpResponse(rejected, { [rejected]: Type.Optional(Type.String({ description: 'A 64-bit integer as text.' })) })

/** Telemetry of backends (specification 4.6), as OpenTelemetry's exporters send it. */
export const otlpRoutes = {
  sendTraces: route({ ...common, path: '/v1/traces', summary: 'Send traces', reply: reply('rejectedSpans') }),
  sendLogs: route({ ...common, path: '/v1/logs', summary: 'Send logs', reply: reply('rejectedLogRecords') }),
  sendMetrics: route({ ...common, path: '/v1/metrics', summary: 'Send metrics', reply: reply('rejectedDataPoints') }),
}
