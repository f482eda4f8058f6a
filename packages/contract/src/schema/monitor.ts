import Type, { type Static } from 'typebox'
import { Host } from './host.ts'
import { Id, ManagedBy, Name, Nullable, Timestamp, Word } from './scalar.ts'

/** Types that `POST /v1/monitors` takes (specification 2.4). One file in `packages/checks` for each. */
export const checkTypes = ['http', 'https', 'ping', 'tcp', 'ssl', 'dns'] as const
export type CheckTypeName = (typeof checkTypes)[number]

/** Every type a monitor may have; `server` comes from provisioning a probe server (ruling 8). */
export const monitorTypes = [...checkTypes, 'server'] as const

/** Specification, section 3. */
export const monitorStatuses = ['online', 'offline', 'pending', 'paused'] as const
export type MonitorStatus = (typeof monitorStatuses)[number]

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** The name of a region: monitors say it, and so do the probes that are in it. */
export const Region = (options: object = {}) => Type.String({ minLength: 1, maxLength: 64, ...options })

/** Regions that a monitor may be watched from at most. */
export const mostRegions = 20

export const quorumWords = ['any', 'majority', 'all'] as const
/** How many regions must see a monitor down (ruling 12). */
export type Quorum = (typeof quorumWords)[number] | number

/** Options that every check type has beside its own: how sure one must be of a verdict (ruling 9), and what it does. */
export const verdictOptions = {
  confirmations: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 2,
      description: 'Failures in a row before the monitor is offline.',
    }),
  ),
  retry_interval: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 3600,
      default: 5,
      description: 'Seconds between a failure and the check that confirms it.',
    }),
  ),
  regions: Type.Optional(
    Type.Array(Region(), {
      minItems: 1,
      maxItems: mostRegions,
      uniqueItems: true,
      examples: [['eu-central', 'us-east']],
      description: 'Where it is watched from, each region once an interval; absent: any probe, wherever it is.',
    }),
  ),
  quorum: Type.Optional(
    Type.Union([Word(quorumWords), Type.Integer({ minimum: 1, maximum: mostRegions })], {
      default: 'any',
      examples: ['any', 'majority', 'all', 2],
      description: 'How many of its regions must see it down: `any`, `majority`, `all`, or a number.',
    }),
  ),
  auto_incident: Type.Optional(
    Type.Boolean({ default: true, description: 'Going offline opens an incident, recovery resolves it.' }),
  ),
  reminder_interval: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 604_800,
      description: 'Seconds between reminders while the monitor stays offline; absent for none.',
    }),
  ),
}

const highest = (what: string) =>
  Type.Optional(
    Type.Number({ minimum: 1, maximum: 100, description: `More ${what} in use than this, in percent, is a failure.` }),
  )

/** Options of `server` monitors: those about the verdict, and what the machine may not exceed. */
export const serverOptions = {
  confirmations: verdictOptions.confirmations,
  retry_interval: verdictOptions.retry_interval,
  auto_incident: verdictOptions.auto_incident,
  reminder_interval: verdictOptions.reminder_interval,
  max_cpu_percent: highest('processor time'),
  max_memory_percent: highest('memory'),
  max_disk_percent: highest('of the root file system'),
}

const name = Name({ examples: ['Shop front'] })
const target = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'A URL for http and https, `host:port` for tcp, a host name or address for the others.',
  examples: ['https://example.com/'],
})
const type = Word(checkTypes, { examples: ['https'] })
const settings = {
  interval: Type.Integer({ minimum: 10, maximum: 86_400, default: 60, description: 'Seconds between checks.' }),
  timeout: Type.Integer({
    minimum: 1,
    maximum: 60,
    description: 'Seconds for the whole check; below the interval. By default 10, or the interval less one.',
  }),
  method: Word(methods, { default: 'get', description: 'Of the request; http and https.' }),
  ssl_verify: Type.Boolean({ default: true, description: 'false: any certificate will do.' }),
  enabled: Type.Boolean({ default: true, description: 'false: the monitor is paused and not checked.' }),
  is_active: Type.Boolean({ default: true, description: 'false: hidden from status pages.' }),
  options: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Settings of the check type, and `confirmations`, `retry_interval`, `regions`, `quorum`, `auto_incident` and `reminder_interval`; a write replaces them as a whole.',
    default: {},
  }),
}

/** Body of create: what is absent takes its default (ruling 10). */
export const MonitorWrite = Type.Object(
  { name, target, type, ...Type.Partial(Type.Object(settings)).properties },
  { title: 'MonitorWrite', additionalProperties: false },
)
export type MonitorWrite = Static<typeof MonitorWrite>

/** Body of a test: as much of a monitor as says how to look. */
export const MonitorTest = Type.Object(
  {
    target,
    type,
    ...Type.Partial(Type.Pick(Type.Object(settings), ['timeout', 'method', 'ssl_verify', 'options'])).properties,
  },
  { title: 'MonitorTest', additionalProperties: false },
)
export type MonitorTest = Static<typeof MonitorTest>

/** Body of PUT: a `server` monitor, which is not created so, can be replaced. */
export const MonitorReplacement = Type.Object(
  { ...MonitorWrite.properties, type: Word(monitorTypes, { examples: ['https'] }) },
  { title: 'MonitorReplacement', additionalProperties: false },
)
export type MonitorReplacement = Static<typeof MonitorReplacement>

/** Body of PATCH: what is absent stays. */
export const MonitorPatch = Type.Partial(MonitorReplacement, { title: 'MonitorPatch', additionalProperties: false })
export type MonitorPatch = Static<typeof MonitorPatch>

/** A monitor as it is read (specification 2.4, ruling 6). */
export const Monitor = Type.Object(
  {
    id: Id(),
    name,
    target,
    type: Word(monitorTypes),
    status: Word(monitorStatuses),
    ...settings,
    probe_id: Type.Optional(Id({ description: 'Of `server` monitors: the probe that is heard from.' })),
    host: Type.Optional(
      Type.Union([Host, Type.Null()], {
        description: 'Of `server` monitors, read singly: the machine as it was told last; null before.',
      }),
    ),
    in_maintenance: Type.Boolean({ description: 'Whether a maintenance window covers it now.' }),
    watched: Type.Boolean({
      description: 'false: nobody has looked lately, so the status says nothing of now; the public is shown unknown.',
    }),
    last_check_at: Nullable(Timestamp()),
    response_time_ms: Nullable(Type.Number({ description: 'Of the latest check.' })),
    uptime_24h: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Percent of the checks of the last 24 hours; null when there were none.',
      }),
    ),
    managed_by: ManagedBy(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Monitor' },
)
export type Monitor = Static<typeof Monitor>

/** Stretches of time that uptime is given for. */
export const uptimeStretches = ['24h', '7d', '30d', '90d'] as const
export type UptimeStretch = (typeof uptimeStretches)[number]

const stretches = (describe: string) =>
  Type.Object(
    Object.fromEntries(
      uptimeStretches.map(name => [name, Nullable(Type.Number({ minimum: 0, maximum: 100 }))]),
    ) as Record<UptimeStretch, ReturnType<typeof Nullable<ReturnType<typeof Type.Number>>>>,
    { description: describe },
  )

/** Public uptime of a monitor (specification 4.5, ruling 20). */
export const MonitorUptime = Type.Object(
  {
    monitor_id: Id(),
    name: Type.String({ description: 'As on the page: its display name, if it has one.' }),
    current_status: Word(['operational', 'down', 'unknown']),
    uptime: stretches('Percent of checks that were up; null when nobody looked.'),
    coverage: stretches(
      'Percent of the stretch, or of the life of the monitor if that is shorter, in which somebody looked.',
    ),
    updated_at: Timestamp(),
  },
  { title: 'MonitorUptime' },
)
export type MonitorUptime = Static<typeof MonitorUptime>
