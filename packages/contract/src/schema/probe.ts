import Type, { type Static } from 'typebox'
import { Host, ProbeWork } from './host.ts'
import { checkTypes, methods, monitorStatuses, Region } from './monitor.ts'
import { Id, Name, Nullable, Timestamp, Word } from './scalar.ts'

/** A check that a probe is asked to run: the monitor as it was when leased. */
export const DueCheck = Type.Object(
  {
    run_id: Type.String({ maxLength: 100 }),
    monitor_id: Id(),
    type: Word(checkTypes),
    target: Type.String(),
    method: Word(methods),
    interval: Type.Integer(),
    timeout: Type.Integer(),
    ssl_verify: Type.Boolean(),
    options: Type.Record(Type.String(), Type.Unknown()),
    due_at: Timestamp(),
    lease_until: Timestamp({ description: 'After this another probe may be given the monitor.' }),
    allow_private: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'False: loopback and private addresses must be refused, for a stranger chose the target.',
      }),
    ),
  },
  { title: 'DueCheck' },
)
export type DueCheck = Static<typeof DueCheck>

/** Answer of `GET /v1/probe/get-checks`. */
export const DueChecks = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    data: Type.Array(DueCheck),
    meta: Type.Object({
      server_time: Timestamp(),
      poll_after_seconds: Type.Number({ description: 'When to ask again.' }),
      lost: Type.Optional(
        Type.Array(Id(), {
          description:
            'Monitors whose lease was taken from this probe before its time: paused, deleted, changed, or given to ' +
            'another while this one was not heard from. Absent when there are none.',
        }),
      ),
    }),
  },
  { title: 'DueChecks' },
)
export type DueChecks = Static<typeof DueChecks>

/** What the control plane says to one result: the monitor's status after it, and when it is due again. */
export const Verdict = Type.Object(
  {
    monitor_id: Id(),
    status: Word(monitorStatuses),
    next_due_at: Nullable(
      Timestamp({
        description: 'When it is to be checked next; null: not by this probe, until it is handed out again.',
      }),
    ),
  },
  { title: 'Verdict' },
)
export type Verdict = Static<typeof Verdict>

/** One answer of `POST /v1/probe/check-results`, in the order of the results. */
export const BatchVerdict = Type.Object(
  {
    ok: Type.Boolean(),
    status: Type.Optional(Word(monitorStatuses)),
    next_due_at: Type.Optional(Nullable(Timestamp())),
    error: Type.Optional(Type.String({ description: 'Why this result was refused; sending it again will not help.' })),
  },
  { title: 'BatchVerdict' },
)
export type BatchVerdict = Static<typeof BatchVerdict>

const name = Name({ examples: ['frankfurt-1'] })
const region = Region({ default: 'default', examples: ['eu-central'] })

export const ProbeWrite = Type.Object(
  { name, region: Type.Optional(region) },
  { title: 'ProbeWrite', additionalProperties: false },
)

export const Probe = Type.Object(
  {
    id: Id(),
    name,
    region,
    version: Nullable(Type.String()),
    last_seen_at: Nullable(Timestamp()),
    started_at: Nullable(Timestamp({ description: 'When it was started, as its latest heartbeat said.' })),
    shared: Type.Boolean({
      description: 'True: runs beside the server and serves every team; it cannot be removed here.',
    }),
    monitor_id: Nullable(Id({ description: 'Its `server` monitor; of a shared one only where that is yours.' })),
    host: Type.Union([Host, Type.Null()], {
      description: 'The machine it runs on; null before the first heartbeat, and where its monitor is not yours.',
    }),
    work: Type.Union([ProbeWork, Type.Null()], { description: 'What it was doing; null as `host` is.' }),
    created_at: Timestamp(),
  },
  { title: 'Probe' },
)
export type Probe = Static<typeof Probe>

/** A probe just provisioned: the only time its token is shown. */
export const ProvisionedProbe = Type.Object(
  { ...Probe.properties, token: Type.String() },
  { title: 'ProvisionedProbe' },
)
export type ProvisionedProbe = Static<typeof ProvisionedProbe>
