import Type, { type Static } from 'typebox'
import { Nullable, Timestamp } from './scalar.ts'

const Attributes = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Integers beyond 2^53 are decimal text, bytes are base64.',
})
const Service = Type.String({ description: '`service.name` of who sent it.', examples: ['checkout'] })
const TraceId = (options: object = {}) =>
  Type.String({ examples: ['5b8efff798038103d269b633813fc60c'], description: '32 hex digits.', ...options })
const SpanId = (options: object = {}) => Type.String({ examples: ['eee19b7ec3c1b174'], ...options })

export const ServiceSummary = Type.Object(
  {
    name: Service,
    span_count: Type.Integer({ minimum: 0 }),
    error_count: Type.Integer({ minimum: 0, description: 'Spans whose status is error.' }),
    log_count: Type.Integer({ minimum: 0 }),
    last_seen_at: Timestamp(),
  },
  { title: 'ServiceSummary' },
)
export type ServiceSummary = Static<typeof ServiceSummary>

export const TraceSummary = Type.Object(
  {
    trace_id: TraceId(),
    root_service: Nullable(Service),
    root_name: Nullable(Type.String({ description: 'Of its first span, where the root has not come.' })),
    started_at: Timestamp(),
    duration_ms: Type.Number({ minimum: 0 }),
    span_count: Type.Integer({ minimum: 1 }),
    error_count: Type.Integer({ minimum: 0 }),
  },
  { title: 'TraceSummary' },
)
export type TraceSummary = Static<typeof TraceSummary>

/** A time as it was sent; `timestamp` and `started_at` are the same in milliseconds. */
const Nanoseconds = () => Type.String({ examples: ['1795304612960000123'], description: 'Decimal, since 1970.' })
const Dropped = () => Type.Integer({ description: 'What the sender left out.' })
const Flags = () => Type.Integer({ description: 'The lower 8 bits are those of the W3C trace context.' })

const SpanEvent = Type.Object({
  timestamp: Timestamp(),
  time_unix_nano: Nanoseconds(),
  name: Type.String(),
  attributes: Attributes,
  dropped_attributes_count: Dropped(),
})
const SpanLink = Type.Object({
  trace_id: TraceId(),
  span_id: SpanId(),
  trace_state: Type.String(),
  flags: Flags(),
  attributes: Attributes,
  dropped_attributes_count: Dropped(),
})
/** Who sent it, and the library that made it. */
const sender = {
  resource: Attributes,
  resource_schema_url: Type.String(),
  resource_dropped_attributes_count: Dropped(),
  scope: Type.Object({
    name: Type.String(),
    version: Type.String(),
    attributes: Attributes,
    schema_url: Type.String(),
    dropped_attributes_count: Dropped(),
  }),
}

export const TraceSpan = Type.Object(
  {
    span_id: SpanId(),
    parent_span_id: Nullable(SpanId()),
    service: Service,
    name: Type.String({ examples: ['GET /cart'] }),
    kind: Type.String({ description: 'unspecified, internal, server, client, producer or consumer.' }),
    started_at: Timestamp(),
    duration_ms: Type.Number({ minimum: 0 }),
    start_time_unix_nano: Nanoseconds(),
    end_time_unix_nano: Nanoseconds(),
    status: Type.String({ description: 'unset, ok or error.' }),
    status_message: Type.String(),
    trace_state: Type.String(),
    flags: Flags(),
    attributes: Attributes,
    ...sender,
    events: Type.Array(SpanEvent),
    links: Type.Array(SpanLink),
    dropped_attributes_count: Dropped(),
    dropped_events_count: Dropped(),
    dropped_links_count: Dropped(),
  },
  { title: 'Span' },
)
export type TraceSpan = Static<typeof TraceSpan>

export const Trace = Type.Object(
  {
    trace_id: TraceId(),
    complete: Type.Boolean({
      description: 'False where there are more spans than one answer holds: 50,000, or 16 MiB.',
    }),
    spans: Type.Array(TraceSpan),
  },
  { title: 'Trace' },
)
export type Trace = Static<typeof Trace>

export const LogEntry = Type.Object(
  {
    timestamp: Timestamp(),
    time_unix_nano: Nanoseconds(),
    observed_time_unix_nano: Nanoseconds(),
    severity: Type.String({ description: 'As it was sent, or by its number.', examples: ['INFO'] }),
    severity_number: Type.Integer(),
    body: Type.Unknown({ examples: ['Order placed'] }),
    event_name: Type.String(),
    service: Service,
    attributes: Attributes,
    dropped_attributes_count: Dropped(),
    ...sender,
    trace_id: Nullable(TraceId()),
    span_id: Nullable(SpanId()),
    flags: Flags(),
  },
  { title: 'LogEntry' },
)
export type LogEntry = Static<typeof LogEntry>

export const MetricSummary = Type.Object(
  {
    name: Type.String({ examples: ['http.server.request.duration'] }),
    type: Type.String({ description: 'gauge, sum, histogram, exponential_histogram or summary.' }),
    unit: Type.String(),
    description: Type.String(),
  },
  { title: 'MetricSummary' },
)
export type MetricSummary = Static<typeof MetricSummary>

const Buckets = Type.Object({ offset: Type.Integer(), counts: Type.Array(Type.Number()) })
const Distribution = Type.Object({
  at: Type.Integer({ description: 'Epoch milliseconds.' }),
  count: Type.Number(),
  sum: Nullable(Type.Number()),
  min: Type.Optional(Nullable(Type.Number())),
  max: Type.Optional(Nullable(Type.Number())),
  bounds: Type.Optional(Type.Array(Nullable(Type.Number()))),
  counts: Type.Optional(Type.Array(Type.Number())),
  scale: Type.Optional(Type.Integer()),
  zero_count: Type.Optional(Type.Number()),
  zero_threshold: Type.Optional(Type.Number()),
  positive: Type.Optional(Buckets),
  negative: Type.Optional(Buckets),
  quantiles: Type.Optional(Type.Array(Type.Array(Nullable(Type.Number())), { description: 'Quantile and value.' })),
})

export const MetricSeries = Type.Object(
  {
    name: Type.String(),
    type: Type.String(),
    unit: Type.String(),
    step: Type.Integer({ description: 'Seconds between points; 0 for the points as they were sent.' }),
    complete: Type.Boolean({
      description:
        'False where there is more than one answer may take: ask for a shorter range, a service or an attribute.',
    }),
    series: Type.Array(
      Type.Object({
        attributes: Attributes,
        resource: Attributes,
        scope: Type.Object({ name: Type.String(), version: Type.String(), attributes: Attributes }),
        temporality: Type.String({ description: 'unspecified, delta or cumulative.' }),
        monotonic: Type.Boolean({ description: 'Of a sum: that it only grows.' }),
        points: Type.Array(
          Type.Array(Nullable(Type.Union([Type.Number(), Type.String()])), { minItems: 2, maxItems: 2 }),
          {
            description:
              'Time in epoch milliseconds, and value; null where none was recorded. Of points as they were sent (`step=0`) ' +
              'an integer beyond 2^53 is decimal text.',
          },
        ),
        distributions: Type.Array(Distribution, {
          description: 'Of histograms and summaries with `step=0`: the newest points as they were sent.',
        }),
        exemplars: Type.Array(
          Type.Object({
            timestamp: Timestamp(),
            value: Nullable(
              Type.Union([Type.Number(), Type.String({ description: 'An integer beyond 2^53 is decimal text.' })]),
            ),
            trace_id: Nullable(TraceId()),
            span_id: Nullable(SpanId()),
            attributes: Attributes,
          }),
          { description: 'The newest of what was measured in a trace, ten at most.' },
        ),
      }),
    ),
  },
  { title: 'MetricSeries' },
)
export type MetricSeries = Static<typeof MetricSeries>

const range = {
  from: Type.Optional(Timestamp({ description: 'Not before this.' })),
  to: Type.Optional(Timestamp({ description: 'Not after this.' })),
}
const limit = (most: number, otherwise: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, default: otherwise }))
const cursor = Type.Optional(Type.String({ maxLength: 200, description: '`meta.next_cursor` of the page before.' }))
const service = Type.Optional(Type.String({ maxLength: 255, description: '`service.name` of who sent it.' }))
/** `attr.http.route=/cart`: any number of attributes, each of the item or of its resource. */
const byAttributes = { patternProperties: { '^attr\\..': { type: 'string', maxLength: 1000 } } }

export const attributePrefix = 'attr.'

export interface TelemetryQuery {
  from?: string
  to?: string
  limit?: number
  cursor?: string
  service?: string
}

export interface TraceQuery extends TelemetryQuery {
  name?: string
  min_duration?: number
  max_duration?: number
  status?: string
}

/** What a span of the trace must be, all of it. */
export const TraceQuery = Type.Unsafe<TraceQuery>(
  Type.Object(
    {
      ...range,
      service,
      name: Type.Optional(Type.String({ maxLength: 1000, description: 'Name of the span.' })),
      min_duration: Type.Optional(Type.Number({ minimum: 0, description: 'Milliseconds.' })),
      max_duration: Type.Optional(Type.Number({ minimum: 0, description: 'Milliseconds.' })),
      status: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['unset', 'ok', 'error'] })),
      limit: limit(200, 50),
      cursor,
    },
    { additionalProperties: false, ...byAttributes },
  ),
)

export interface LogQuery extends TelemetryQuery {
  q?: string
  severity?: string
  trace_id?: string
}

export const LogQuery = Type.Unsafe<LogQuery>(
  Type.Object(
    {
      ...range,
      service,
      q: Type.Optional(
        Type.String({ maxLength: 500, description: 'Words that are all in the body, in any order and either case.' }),
      ),
      severity: Type.Optional(
        Type.Unsafe<string>({
          type: 'string',
          enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
          description: 'At least this severe.',
        }),
      ),
      trace_id: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{32}$', description: '32 hex digits.' })),
      limit: limit(1000, 100),
      cursor,
    },
    { additionalProperties: false, ...byAttributes },
  ),
)

export const ServiceQuery = Type.Unsafe<Pick<TelemetryQuery, 'from' | 'to'>>(
  Type.Object(range, { additionalProperties: false }),
)

export const metricStats = ['value', 'rate', 'count', 'sum', 'avg', 'min', 'max', 'p50', 'p90', 'p95', 'p99'] as const

export interface MetricQuery extends Pick<TelemetryQuery, 'from' | 'to' | 'service'> {
  step?: number
  stat?: (typeof metricStats)[number]
  rate?: boolean
}

export const MetricQuery = Type.Unsafe<MetricQuery>(
  Type.Object(
    {
      ...range,
      service,
      step: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 31_536_000, description: 'Seconds between points; 0 for each as sent.' }),
      ),
      stat: Type.Optional(
        Type.Unsafe<(typeof metricStats)[number]>({
          type: 'string',
          enum: [...metricStats],
          description: 'What is shown of each step; the last value if absent, of histograms the average.',
        }),
      ),
      rate: Type.Optional(Type.Boolean({ description: 'The same as stat=rate: increase per second.' })),
    },
    { additionalProperties: false, ...byAttributes },
  ),
)
