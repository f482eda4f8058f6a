import Type, { type Static } from 'typebox'
import { CheckRecord } from './check.ts'
import { monitorStatuses, Region, verdictOptions } from './monitor.ts'
import { Id, Nullable, Timestamp, Word } from './scalar.ts'

const failures = Type.Integer({ minimum: 0, description: 'Failed checks in a row.' })

/** What a region says: `silent`, nobody has looked lately; `unsure`, it has not made up its mind. */
export const regionVotes = ['up', 'down', 'unsure', 'silent'] as const

/** What one region says of a monitor, and who looked there last. */
export const RegionSays = Type.Object(
  {
    region: Region(),
    vote: Word(regionVotes, {
      description: '`unsure`: not confirmed, or not looked yet; `silent`: nobody looks there, so it has no vote.',
    }),
    failures,
    probe: Nullable(Type.String()),
    last_check_at: Nullable(Timestamp()),
  },
  { title: 'RegionSays' },
)
export type RegionSays = Static<typeof RegionSays>

/** A check with what was seen: status code, address, certificate, answers. */
export const Attempt = Type.Object(
  { ...CheckRecord.properties, details: Nullable(Type.Record(Type.String(), Type.Unknown())) },
  { title: 'Attempt' },
)
export type Attempt = Static<typeof Attempt>

/** A change of status, and what it was decided on. */
export const StatusChange = Type.Object(
  {
    at: Timestamp({ description: 'When the check began that decided it.' }),
    old_status: Word(monitorStatuses),
    new_status: Word(monitorStatuses),
    attempts: Type.Array(Attempt, { description: 'The checks it was decided on, oldest first; kept for seven days.' }),
    votes: Type.Array(RegionSays, { description: 'What its regions said then; empty for a monitor without regions.' }),
  },
  { title: 'StatusChange' },
)
export type StatusChange = Static<typeof StatusChange>

/** Why a monitor has the status it has, and what happens next. */
export const Explanation = Type.Object(
  {
    monitor_id: Id(),
    status: Word(monitorStatuses),
    reasons: Type.Array(Type.String(), {
      minItems: 1,
      description: 'Sentences, the most important first.',
      examples: [['2 checks in a row have failed, and 2 are needed to call it offline.']],
    }),
    failures,
    confirmations: Type.Integer({ minimum: 1, description: 'Failed checks in a row that make it offline.' }),
    quorum: Nullable(verdictOptions.quorum),
    votes: Type.Array(RegionSays, { description: 'What its regions say now; empty for a monitor without regions.' }),
    watched: Type.Boolean({
      description: 'false: nobody has looked lately, so the status says nothing of now; the public is shown unknown.',
    }),
    offline_since: Nullable(Timestamp()),
    incident_id: Nullable(Id({ description: 'Its automatic incident that is open.' })),
    in_maintenance: Type.Boolean(),
    last_check: Nullable(CheckRecord),
    next_check_at: Nullable(Timestamp({ description: 'null while paused.' })),
    changes: Type.Array(StatusChange, { description: 'The latest changes of its status, newest first.' }),
    repeat: Nullable(
      Type.String({
        description: 'A command for a shell that looks in the same way; secrets in it are replaced by `***`.',
        examples: ["curl -sS -i --max-time 10 'https://example.com/?page=1'"],
      }),
    ),
  },
  { title: 'Explanation' },
)
export type Explanation = Static<typeof Explanation>
