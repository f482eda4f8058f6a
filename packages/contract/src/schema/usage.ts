import Type, { type Static } from 'typebox'
import { Nullable } from './scalar.ts'

/** What is counted of an app in a calendar month (specification 8.3); metrics are not. */
export const quotaNames = ['rum_sessions', 'rum_events', 'replay_bytes', 'otlp_spans', 'logs_bytes'] as const
export type QuotaName = (typeof quotaNames)[number]

/** What can be bought beyond the plan, and the quota it is taken for. */
export const topUpQuotas = {
  sessions: 'rum_sessions',
  events: 'rum_events',
  spans: 'otlp_spans',
  logs_bytes: 'logs_bytes',
} as const satisfies Record<string, QuotaName>
export type TopUpName = keyof typeof topUpQuotas

const whole = (description: string) => Type.Integer({ minimum: 0, description })

/** One quota; without a limit `limit` and `remaining` are null (ruling 22). */
export const Quota = Type.Object(
  {
    limit: Nullable(whole('What the plan gives in a month; null for any amount.')),
    used: whole('Taken of it this month; what a top-up paid for is not in it.'),
    remaining: Nullable(whole('Left of it.')),
  },
  { title: 'Quota' },
)
export type Quota = Static<typeof Quota>

/** Amounts left of what was added beyond the plan; they do not end with the month. */
export const TopUpBalance = Type.Object(
  {
    sessions: Type.Integer({ minimum: 0 }),
    events: Type.Integer({ minimum: 0 }),
    spans: Type.Integer({ minimum: 0 }),
    logs_bytes: Type.Integer({ minimum: 0 }),
  },
  { title: 'TopUpBalance' },
)
export type TopUpBalance = Static<typeof TopUpBalance>

const day = Nullable(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', examples: ['2026-11-27'] }))

/** Answer of the usage endpoint (specification 4.8), without an envelope. */
export const Usage = Type.Object(
  {
    period: Type.String({ pattern: '^\\d{4}-\\d\\d$', description: 'Calendar month in UTC.', examples: ['2026-11'] }),
    quotas: Type.Object({
      rum_sessions: Quota,
      rum_events: Quota,
      replay_bytes: Quota,
      otlp_spans: Quota,
      logs_bytes: Quota,
    } satisfies Record<QuotaName, unknown>),
    forecast: Type.Object(
      { rum_sessions: day, rum_events: day, replay_bytes: day, otlp_spans: day, logs_bytes: day } satisfies Record<
        QuotaName,
        unknown
      >,
      { description: 'Day (UTC) on which each quota is used up at the pace of this month; null if it will not be.' },
    ),
    overage_handling: Type.Literal('reject'),
    top_up_balance: TopUpBalance,
  },
  { title: 'Usage' },
)
export type Usage = Static<typeof Usage>

const amount = (examples: number[]) => Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000_000, examples }))

/** Adds to the balance; at least one of them. */
export const TopUp = Type.Object(
  {
    sessions: amount([1000]),
    events: amount([10_000]),
    spans: amount([100_000]),
    logs_bytes: amount([1_000_000_000]),
  } satisfies Record<TopUpName, unknown>,
  { title: 'TopUp', additionalProperties: false },
)
export type TopUp = Static<typeof TopUp>
