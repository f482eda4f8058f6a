import Type, { type Static } from 'typebox'
import { CheckRecord } from './check.ts'
import { monitorStatuses } from './monitor.ts'
import { Id, Nullable, Timestamp, Word } from './scalar.ts'

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
    failures: Type.Integer({ minimum: 0, description: 'Failed checks in a row.' }),
    confirmations: Type.Integer({ minimum: 1, description: 'Failed checks in a row that make it offline.' }),
    offline_since: Nullable(Timestamp()),
    incident_id: Nullable(Id({ description: 'Its automatic incident that is open.' })),
    in_maintenance: Type.Boolean(),
    last_check: Nullable(CheckRecord),
    next_check_at: Nullable(Timestamp({ description: 'null while paused.' })),
  },
  { title: 'Explanation' },
)
export type Explanation = Static<typeof Explanation>
