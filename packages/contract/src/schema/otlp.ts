import Type, { type Static, type TSchema } from 'typebox'

const origin = { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] }
const labels = [{ key: 'http.route', value: { stringValue: '/cart' } }]
const at = '1763733600000000000'

/** What an exporter sends, of each signal the least that says something. */
const exported = {
  resourceSpans: {
    resource: origin,
    scopeSpans: [
      {
        spans: [
          {
            traceId: '5b8efff798038103d269b633813fc60c',
            spanId: 'eee19b7ec3c1b174',
            name: 'GET /cart',
            kind: 2,
            startTimeUnixNano: at,
            endTimeUnixNano: '1763733600025000000',
            attributes: labels,
          },
        ],
      },
    ],
  },
  resourceLogs: {
    resource: origin,
    scopeLogs: [{ logRecords: [{ timeUnixNano: at, severityNumber: 9, body: { stringValue: 'Order placed' } }] }],
  },
  resourceMetrics: {
    resource: origin,
    scopeMetrics: [
      {
        metrics: [
          { name: 'queue.length', gauge: { dataPoints: [{ timeUnixNano: at, asInt: '7', attributes: labels }] } },
        ],
      },
    ],
  },
}

/** An export request; its fields are those of OTLP, unknown ones are ignored. */
export const OtlpRequest = (name: keyof typeof exported) =>
  Type.Object(
    { [name]: Type.Optional(Type.Array(Type.Unknown())) },
    { title: `OtlpRequest_${name}`, additionalProperties: true, examples: [{ [name]: [exported[name]] }] },
  )

export const OtlpResponse = (title: string, rejected: Record<string, TSchema>) =>
  Type.Object(
    {
      partialSuccess: Type.Optional(
        Type.Object({ ...rejected, errorMessage: Type.Optional(Type.String()) }, { title: `PartialSuccess_${title}` }),
      ),
    },
    { title: `OtlpResponse_${title}`, examples: [{}] },
  )

/** A refusal on the OTLP surface: a `google.rpc.Status` with what our other errors say beside it (ruling 4). */
export const OtlpStatus = Type.Object(
  {
    success: Type.Literal(false),
    code: Type.Integer({ description: 'Of google.rpc.Code.' }),
    message: Type.String(),
    status: Type.Integer({ description: 'Of HTTP.' }),
    errors: Type.Record(Type.String(), Type.String()),
    error: Type.Union([Type.Boolean(), Type.String()], { description: 'True, or of a quota what is used up.' }),
    retry_after: Type.Optional(Type.Integer({ description: 'Seconds.' })),
    quota_type: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer()),
    used: Type.Optional(Type.Integer()),
    reset_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'OtlpStatus' },
)
export type OtlpStatus = Static<typeof OtlpStatus>
