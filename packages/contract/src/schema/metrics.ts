import Type, { type Static } from 'typebox'
import { Timings } from './check.ts'
import { HostPoint } from './host.ts'
import { Id, Nullable, Timestamp, Word } from './scalar.ts'

/** How finely metrics are told: `raw` is one point per check. */
export const metricsResolutions = ['raw', '5m', '1h', '1d'] as const
export type MetricsResolution = (typeof metricsResolutions)[number]

/** Query of the metrics endpoint. */
export const MetricsQuery = Type.Object(
  {
    from: Type.Optional(
      Timestamp({ description: 'Start, ISO 8601; 24 hours before `to` if absent, and 400 days before it at most.' }),
    ),
    to: Type.Optional(Timestamp({ description: 'End, ISO 8601; now if absent.' })),
    resolution: Type.Optional(
      Word(metricsResolutions, {
        description:
          'Length of a point; what gives about 500 points at most if absent. Kept: raw for 7 days, 5m for 30, 1h for 90, ' +
          '1d for 400.',
      }),
    ),
    by: Type.Optional(
      Word(['region'], {
        description:
          'Also `regions`: response times as each region sees them, with the phases they are made of. From single checks, so ' +
          'for the last 7 days only.',
      }),
    ),
  },
  { title: 'MetricsQuery', additionalProperties: false },
)
export type MetricsQuery = Static<typeof MetricsQuery>

const uptime = Nullable(
  Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Percent of the checks that were up; null where nobody looked, which is not down.',
    examples: [99.931],
  }),
)
const coverage = Type.Number({
  minimum: 0,
  maximum: 100,
  description: 'Percent of the checks that the interval asks for, and that were made; 0 where nobody looked.',
  examples: [100],
})
const checks = Type.Integer({ minimum: 0, description: 'All of them.', examples: [1440] })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const time = (example: number) => Nullable(Type.Number({ minimum: 0, examples: [example] }))
const times = { average: time(96.412), p50: time(88.103), p95: time(181.54), p99: time(402.877) }

/** What was seen of a monitor between two moments (specification 4.3). */
export const Metrics = Type.Object(
  {
    monitor_id: Id(),
    from: Timestamp(),
    to: Timestamp({ description: 'Never later than now.' }),
    resolution: Word(metricsResolutions, { description: 'Points at the ends count whole.' }),
    uptime,
    coverage,
    checks,
    up: count('Checks that found the target online.'),
    down: count('Checks that found it offline.'),
    errors: count('Checks that the probe could not make: neither up nor down.'),
    maintenance: count('Checks during planned maintenance: neither up nor down.'),
    response_time_ms: Type.Object(
      { ...times, min: time(71.009), max: time(1204.5) },
      {
        description:
          'Of all checks that found something. Exact where the resolution is raw, else all but the average within 1 percent.',
      },
    ),
    series: Type.Array(
      Type.Object({ at: Timestamp({ description: 'When the point begins.' }), uptime, coverage, ...times, checks }),
      { description: 'Oldest first, without gaps; where the resolution is raw, one point for each check.' },
    ),
    regions: Type.Optional(
      Type.Array(
        Type.Object({
          region: Type.String({ examples: ['eu-central'] }),
          uptime,
          checks,
          response_time_ms: Type.Object({ ...times, min: time(71.009), max: time(1204.5) }),
          series: Type.Array(
            Type.Object({
              at: Timestamp({ description: 'When the point begins.' }),
              uptime,
              ...times,
              checks,
              timings: Nullable(Timings),
            }),
          ),
        }),
        {
          description:
            'Only if asked for by `by=region`. Exact, in the order of their names; points as those of `series`, without those ' +
            'that hold no check. `timings` is the mean of the phases that are kept: of one success in five minutes.',
        },
      ),
    ),
    host: Type.Optional(
      Type.Array(HostPoint, {
        description:
          'Of `server` monitors: how the machine was, oldest first, where it was told; in points of 5m where the resolution is raw.',
      }),
    ),
  },
  { title: 'Metrics' },
)
export type Metrics = Static<typeof Metrics>
