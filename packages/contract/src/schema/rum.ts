import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Word } from './scalar.ts'

/** What may be told of a visit (ruling 30), in the order of their numbers in the store. */
export const rumTypes = [
  'page_load',
  'web_vital',
  'error',
  'click',
  'console',
  'network',
  'session_start',
  'custom',
] as const
export type RumType = (typeof rumTypes)[number]

const Text = (maxLength: number, options: object = {}) => Type.Optional(Type.String({ maxLength, ...options }))
const Some = (description: string) => Type.Optional(Type.Number({ description }))

/** One event; fields that are not named here are passed over. Longer texts are cut off. */
export const RumEvent = Type.Object(
  {
    type: Word(rumTypes),
    url: Type.String({
      maxLength: 8192,
      description: 'Of the page. Its query and fragment are not kept.',
      examples: ['https://shop.example.com/cart'],
    }),
    id: Text(100, {
      description: 'Sent again under the same id, it counts once; of a web vital the last value is kept.',
    }),
    session_id: Text(100, { description: 'Of the visit; counted once unless it is not seen for 30 minutes.' }),
    timestamp: Type.Optional(
      Type.Union([Type.Number(), Type.String()], {
        description: 'When it happened: epoch milliseconds or ISO 8601.',
        examples: [1763717400000],
      }),
    ),
    duration_ms: Some('Of a page load or a request.'),
    name: Text(200, { description: 'Of a web vital (`LCP`), an error (`TypeError`) or an event of your own.' }),
    value: Some('Of a web vital.'),
    message: Text(2000, { description: 'Of an error or of what was written to the console.' }),
    stack: Text(8000, { description: 'Of an error.' }),
    source: Text(8192, { description: 'The script that an error came from.' }),
    line: Some('Of the source.'),
    column: Some('Of the source.'),
    level: Text(20, { description: 'Of what was written to the console.' }),
    target: Text(500, { description: 'What was clicked.' }),
    request_url: Text(8192, { description: 'Of a request. Its query and fragment are not kept.' }),
    status: Some('Of a request.'),
    trace_id: Text(32, { description: 'The trace that a request began, 32 hex digits.' }),
    navigation_type: Text(50),
    referrer: Text(8192),
    app: Text(200, { description: 'Name and version of what is watched.' }),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Of an event of your own.' })),
  },
  {
    title: 'RumEvent',
    additionalProperties: true,
    examples: [{ type: 'page_load', url: 'https://shop.example.com/cart', duration_ms: 812, session_id: '5b8efff7' }],
  },
)
export type RumEvent = Static<typeof RumEvent>

export const RumRequest = Type.Union([RumEvent, Type.Array(RumEvent, { maxItems: 5000 })])

const whole = (description: string) => Type.Integer({ minimum: 0, description })

/** What became of the events of a request. */
export const RumReply = Type.Object(
  {
    accepted: whole('Kept, and counted where they count.'),
    duplicates: whole('Known by their ids; the value of a web vital was brought up to date.'),
    rejected: whole('Not kept.'),
    errors: Type.Record(Type.String(), Type.String(), {
      description: 'Why events were not kept, by their position and field: `3.type`.',
      examples: [{}],
    }),
  },
  { title: 'RumReply', examples: [{ accepted: 1, duplicates: 0, rejected: 0, errors: {} }] },
)
export type RumReply = Static<typeof RumReply>

/** Refusal where a monthly quota is used up (specification 7, ruling 4). */
export const QuotaExceeded = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String(),
    message: Type.String(),
    code: Type.Literal('quota_exceeded'),
    status: Type.Literal(429),
    errors: Type.Record(Type.String(), Type.String(), { examples: [{}] }),
    quota_type: Type.String({ examples: ['rum_sessions'] }),
    limit: Type.Integer(),
    used: Type.Integer(),
    reset_at: Timestamp(),
    retry_after: Type.Integer({ description: 'Seconds.' }),
  },
  { title: 'QuotaExceeded' },
)
export type QuotaExceeded = Static<typeof QuotaExceeded>

const Page = Type.String({
  description: 'Address without query and fragment.',
  examples: ['https://shop.example.com/cart'],
})
const Step = Type.Optional(Timestamp({ description: 'Where `step` is asked for: the beginning of the stretch.' }))
const Milliseconds = (description: string) => Type.Number({ description })
const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

export const RumVital = Type.Object(
  {
    timestamp: Step,
    name: Type.String({ description: 'LCP, INP, CLS, FCP or TTFB.', examples: ['LCP'] }),
    page: Page,
    p50: Type.Number({ description: 'Milliseconds; of CLS a number without a unit.' }),
    p75: Type.Number({ description: 'What the vital is judged by.' }),
    p95: Type.Number(),
    good: Share('Share of visitors for whom it was good, 0 to 1.'),
    needs_improvement: Share('Share for whom it was neither.'),
    poor: Share('Share for whom it was poor.'),
    count: whole('How often it was measured.'),
  },
  { title: 'RumVital' },
)
export type RumVital = Static<typeof RumVital>

export const RumSession = Type.Object(
  {
    session_id: Type.String(),
    started_at: Timestamp(),
    last_seen_at: Timestamp(),
    page_count: whole('Page loads.'),
    event_count: whole('Events that count.'),
    error_count: whole('Errors.'),
    browser: Nullable(Type.String({ examples: ['Firefox'] })),
    os: Nullable(Type.String({ examples: ['Android'] })),
    device: Nullable(Type.String({ description: 'desktop, mobile, tablet or bot.', examples: ['mobile'] })),
    referrer: Nullable(Type.String({ description: 'Where it came from, without query and fragment.' })),
  },
  { title: 'RumSession' },
)
export type RumSession = Static<typeof RumSession>

/** An event as it was sent, without what was scrubbed; what it did not say is absent. */
export const RumVisitEvent = Type.Object(
  {
    type: Word(rumTypes),
    timestamp: Timestamp({ description: "When it happened, by this server's clock." }),
    page: Page,
    trace_id: Nullable(
      Type.String({
        description: 'Of a request that began a trace; see `traces/{trace_id}`. null where there is none.',
      }),
    ),
    name: Text(200, { description: 'Of a web vital, an error or an event of your own.' }),
    fingerprint: Text(16, { description: 'Of an error: what it is listed under in `errors`.' }),
    value: Some('Of a web vital.'),
    duration_ms: Some('Of a page load or a request.'),
    message: Text(2000),
    stack: Text(8000),
    source: Text(8192, { description: 'The script that an error came from.' }),
    line: Some('Of the source.'),
    column: Some('Of the source.'),
    level: Text(20),
    target: Text(500, { description: 'What was clicked.' }),
    request_url: Text(8192, { description: 'Without query and fragment.' }),
    status: Some('Of a request.'),
    navigation_type: Text(50),
    referrer: Text(8192),
    app: Text(200),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Of an event of your own.' })),
  },
  {
    title: 'RumVisitEvent',
    examples: [
      {
        type: 'network',
        timestamp: '2026-11-21T09:30:00.000Z',
        page: 'https://shop.example.com/cart',
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        duration_ms: 48.2,
        request_url: 'https://shop.example.com/api/cart',
        status: 200,
      },
    ],
  },
)
export type RumVisitEvent = Static<typeof RumVisitEvent>

export const RumVisit = Type.Object(
  {
    ...RumSession.properties,
    events: Type.Array(RumVisitEvent, { description: 'A part of them, oldest first.' }),
    next_cursor: Nullable(Type.String({ description: 'For `cursor`: the events that follow. null at the end.' })),
    complete: Type.Boolean({
      description: 'False where reading took too long, and events of the oldest days are left out.',
    }),
  },
  { title: 'RumVisit' },
)
export type RumVisit = Static<typeof RumVisit>

export const RumErrorGroup = Type.Object(
  {
    fingerprint: Type.String({
      description: 'The same for what has the same cause: numbers and ids do not tell it apart.',
    }),
    name: Nullable(Type.String({ examples: ['TypeError'] })),
    message: Type.String({ description: 'Of the newest.' }),
    stack: Nullable(Type.String({ description: 'Of the newest.' })),
    page: Page,
    count: whole('How often it happened.'),
    session_count: whole('In how many visits.'),
    first_seen_at: Timestamp(),
    last_seen_at: Timestamp(),
  },
  { title: 'RumErrorGroup' },
)
export type RumErrorGroup = Static<typeof RumErrorGroup>

export const RumPage = Type.Object(
  {
    timestamp: Step,
    page: Page,
    count: whole('Page loads, with those that do not say how long they took.'),
    p50: Nullable(Milliseconds('Of the time to load; null where none says it.')),
    p75: Nullable(Milliseconds('Pages are ordered by it, slowest first.')),
    p95: Nullable(Milliseconds('')),
  },
  { title: 'RumPage' },
)
export type RumPage = Static<typeof RumPage>

const range = {
  from: Type.Optional(Timestamp({ description: 'Not before this; the last 24 hours if no range is given.' })),
  to: Type.Optional(Timestamp({ description: 'Not after this.' })),
}
const slice = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  cursor: Type.Optional(Type.String({ maxLength: 1000, description: '`meta.next_cursor` of the page before.' })),
}
const page = Type.Optional(Type.String({ maxLength: 8192, description: 'One page only.' }))
const error = Type.Optional(
  Type.String({
    pattern: '^[0-9a-f]{16}$',
    description: 'A `fingerprint` of `errors`, 16 hex digits: this error only.',
    examples: ['9c1f0a5be27d4430'],
  }),
)
const step = Type.Optional(
  Type.Integer({ minimum: 60, maximum: 31_536_000, description: 'Over time: seconds of each stretch.' }),
)

export const RumSessionQuery = Type.Object({ ...range, page, error, ...slice }, { additionalProperties: false })
export type RumSessionQuery = Static<typeof RumSessionQuery>
export const RumVisitQuery = Type.Object(
  {
    ...slice,
    cursor: Type.Optional(Type.String({ maxLength: 1000, description: '`next_cursor` of the answer before.' })),
  },
  { additionalProperties: false },
)
export type RumVisitQuery = Static<typeof RumVisitQuery>
export const RumErrorQuery = Type.Object({ ...range, page, error, ...slice }, { additionalProperties: false })
export type RumErrorQuery = Static<typeof RumErrorQuery>
export const RumPageQuery = Type.Object({ ...range, page, step, ...slice }, { additionalProperties: false })
export type RumPageQuery = Static<typeof RumPageQuery>
export const RumVitalQuery = Type.Object(
  {
    ...range,
    page,
    name: Type.Optional(Type.String({ maxLength: 200, description: 'One vital only.' })),
    step,
    ...slice,
  },
  { additionalProperties: false },
)
export type RumVitalQuery = Static<typeof RumVitalQuery>
