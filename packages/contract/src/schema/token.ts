import Type, { type Static } from 'typebox'
import { Id, Name, Nullable, Timestamp, Word } from './scalar.ts'

/** What a person or a token may do, weakest first (ruling 16). */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** What a token must have been made for beside its role (ruling 17). */
export const scopes = ['status-pages:write'] as const
export type Scope = (typeof scopes)[number]

const name = Name({ examples: ['ci'] })

export const TokenWrite = Type.Object(
  {
    name,
    role: Type.Optional(Word(roles, { default: 'member', description: 'Never above the role of its maker.' })),
    scopes: Type.Optional(Type.Array(Word(scopes), { uniqueItems: true, default: [] })),
    expires_at: Type.Optional(
      Nullable(Timestamp({ description: 'In the future; refused from then on, never if null.' })),
    ),
  },
  { title: 'TokenWrite', additionalProperties: false },
)

export const Token = Type.Object(
  {
    id: Id(),
    name,
    role: Word(roles),
    scopes: Type.Array(Word(scopes)),
    created_at: Timestamp(),
    last_used_at: Nullable(Timestamp()),
    expires_at: Nullable(Timestamp()),
    user_id: Nullable(Id({ description: 'Of its maker; null if it was made on the server itself.' })),
  },
  { title: 'Token' },
)
export type Token = Static<typeof Token>

/** A token just made: the only time its text is shown (specification 5.3). */
export const CreatedToken = Type.Object({ ...Token.properties, token: Type.String() }, { title: 'CreatedToken' })
export type CreatedToken = Static<typeof CreatedToken>
