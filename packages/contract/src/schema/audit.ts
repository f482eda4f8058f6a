import Type, { type Static } from 'typebox'
import { Id, Nullable, Timestamp, Word } from './scalar.ts'

/** What somebody was when they asked: a person who is logged in, or a program with a token. */
export const auditActors = ['session', 'token'] as const
export type AuditActor = (typeof auditActors)[number]

/** What a request was about. `resources`: everything that files say, by one apply. */
export const auditKinds = [
  'monitor',
  'incident',
  'maintenance_window',
  'status_page',
  'subscriber',
  'channel',
  'app',
  'token',
  'probe',
  'team',
  'member',
  'invitation',
  'resources',
  'user',
  'session',
] as const
export type AuditKind = (typeof auditKinds)[number]

/** How much one apply changed. */
export const AuditCounts = Type.Object({
  create: Type.Integer({ minimum: 0 }),
  update: Type.Integer({ minimum: 0 }),
  delete: Type.Integer({ minimum: 0 }),
  adopt: Type.Integer({ minimum: 0 }),
  unchanged: Type.Integer({ minimum: 0 }),
})
export type AuditCounts = Static<typeof AuditCounts>

/** Who changed what, when, and from where. */
export const AuditEntry = Type.Object(
  {
    id: Id(),
    created_at: Timestamp(),
    actor: Word(auditActors, { description: 'Whether a person who was logged in asked, or a program with a token.' }),
    actor_id: Id({ description: 'Of the user, or of the token.' }),
    actor_name: Type.String({
      description: 'E-mail of the user, or name of the token, as it was then.',
      examples: ['ada@example.com'],
    }),
    user_id: Nullable(Id({ description: 'The person, or the maker of the token; null where no person made it.' })),
    operation: Type.String({ description: 'The `operationId` of what was asked.', examples: ['updateMonitor'] }),
    kind: Word(auditKinds),
    resource_id: Nullable(Id()),
    resource_name: Nullable(
      Type.String({ description: 'As it was called before; as it was made, if it was.', examples: ['Shop'] }),
    ),
    address: Type.String({ description: 'That the request came from.', examples: ['192.0.2.7'] }),
    fields: Type.Array(Type.String(), {
      description: 'Top-level fields that the body named. What they held is not kept.',
      examples: [['interval', 'name']],
    }),
    counts: Type.Union([AuditCounts, Type.Null()], {
      description: 'How much an apply changed; null for everything else.',
      examples: [null],
    }),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>
