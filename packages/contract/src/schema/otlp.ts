import Type, { type Static, type TSchema } from 'typebox'

/** An export request; its fields are those of OTLP, unknown ones are ignored. */
export const OtlpRequest = Type.Object(
  {
    resourceSpans: Type.Optional(Type.Array(Type.Unknown())),
    resourceLogs: Type.Optional(Type.Array(Type.Unknown())),
    resourceMetrics: Type.Optional(Type.Array(Type.Unknown())),
  },
  { title: 'OtlpRequest', additionalProperties: true },
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
