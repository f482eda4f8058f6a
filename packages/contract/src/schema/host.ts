import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp, Word } from './scalar.ts'

const bytes = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description, examples: [example] })
const percent = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 100, description, examples: [example] })
const load = (minutes: number, example: number) =>
  Type.Number({
    minimum: 0,
    maximum: 1_000_000,
    description: `Load average of ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    examples: [example],
  })
const word = (description: string, example: string) => Type.String({ maxLength: 255, description, examples: [example] })

/** What a probe knows of the machine it runs on; in a container, of what the container may use. */
const facts = {
  hostname: word('Name of the machine.', 'fra-1'),
  platform: word('Operating system and processor.', 'linux x64 6.12.9'),
  uptime_s: Type.Number({ minimum: 0, description: 'Seconds since the machine was started.', examples: [864_000] }),
  cpu_count: Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Processors it may use.', examples: [4] }),
  cpu_percent: percent('Of all of them together, since the last heartbeat.', 12.5),
  load_1: load(1, 0.42),
  load_5: load(5, 0.35),
  load_15: load(15, 0.3),
  memory_total_bytes: bytes('Memory it may use.', 8_589_934_592),
  memory_used_bytes: bytes('Memory in use, without what can be given back at once.', 3_221_225_472),
  memory_available_bytes: bytes('Memory that can still be had.', 5_368_709_120),
  disk_total_bytes: bytes('Room on the root file system.', 107_374_182_400),
  disk_used_bytes: bytes('Of it, in use.', 42_949_672_960),
  spool_total_bytes: bytes('Room on the file system of the spool.', 107_374_182_400),
  spool_used_bytes: bytes('Of it, in use.', 42_949_672_960),
}

/** What the probe is doing. */
const work = {
  monitors: Type.Integer({ minimum: 0, description: 'Monitors it holds.', examples: [120] }),
  running: Type.Integer({ minimum: 0, description: 'Checks under way.', examples: [3] }),
  queued: Type.Integer({ minimum: 0, description: 'Checks that wait for their turn.', examples: [0] }),
  missed: Type.Integer({ minimum: 0, description: 'Checks skipped since it started.', examples: [0] }),
  spooled: Type.Integer({ minimum: 0, description: 'Results that wait to be sent.', examples: [0] }),
  dropped: Type.Integer({ minimum: 0, description: 'Results given up since it started.', examples: [0] }),
  lag_ms: Type.Number({
    minimum: 0,
    description: 'The longest that it stood still since the last heartbeat.',
    examples: [2],
  }),
}

type Facts = typeof facts
type Work = typeof work
const nullable = <T extends Record<string, Facts[keyof Facts] | Work[keyof Work]>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Nullable(schema)])) as {
    [K in keyof T]: ReturnType<typeof Nullable<T[K]>>
  }
const knownFacts = nullable(facts)
const knownWork = nullable(work)

/** Says that a probe lives, and how its machine is. All of it may be left out: a probe in shell says what it knows. */
export const Heartbeat = Type.Object(
  {
    started_at: Type.Optional(Nullable(Timestamp({ description: 'When the probe was started.' }))),
    host: Type.Optional(Type.Partial(Type.Object(knownFacts), { additionalProperties: true })),
    work: Type.Optional(Type.Partial(Type.Object(knownWork), { additionalProperties: true })),
  },
  { title: 'Heartbeat', additionalProperties: true },
)
export type Heartbeat = Static<typeof Heartbeat>

/** What the control plane says to a heartbeat. */
export const Heard = Type.Object(
  {
    monitor_id: Nullable(Id({ description: 'The server monitor of this probe; null where it has none.' })),
    status: Nullable(Word(['online', 'offline', 'pending', 'paused'])),
    next_heartbeat_seconds: Type.Number({ minimum: 0, description: 'When to send the next.', examples: [30] }),
  },
  { title: 'Heard' },
)
export type Heard = Static<typeof Heard>

/** A probe's machine as it was told last; null where the probe did not say. */
export const Host = Type.Object(
  {
    reported_at: Timestamp(),
    ...knownFacts,
    memory_percent: Nullable(percent('Memory in use.', 37.5)),
    disk_percent: Nullable(percent('In use of the root file system.', 40)),
    spool_percent: Nullable(percent('In use of the file system of the spool.', 40)),
  },
  { title: 'Host' },
)
export type Host = Static<typeof Host>

/** What a probe was doing when it was heard last. */
export const ProbeWork = Type.Object(knownWork, { title: 'ProbeWork' })
export type ProbeWork = Static<typeof ProbeWork>

/** Averages, and the highest, of a stretch of time. */
export const HostPoint = Type.Object(
  {
    at: Timestamp({ description: 'When the point begins.' }),
    cpu_percent: Nullable(percent('Average.', 12.5)),
    cpu_percent_max: Nullable(percent('Highest.', 71.2)),
    memory_percent: Nullable(percent('Average.', 37.5)),
    memory_percent_max: Nullable(percent('Highest.', 38.1)),
    disk_percent: Nullable(percent('Average.', 40)),
    disk_percent_max: Nullable(percent('Highest.', 40)),
    load_1: Nullable(load(1, 0.42)),
    load_1_max: Nullable(load(1, 1.9)),
  },
  { title: 'HostPoint' },
)
export type HostPoint = Static<typeof HostPoint>
