import Type, { type Static } from 'typebox'
import { Email, Id, Nullable, Password, Timestamp, Word } from './scalar.ts'
import { roles } from './token.ts'

const role = Word(roles, { description: 'Never above the role of whoever gives it.' })

export const Member = Type.Object(
  { id: Id({ description: 'Of the user.' }), email: Email(), role, created_at: Timestamp() },
  { title: 'Member' },
)
export type Member = Static<typeof Member>

export const MemberWrite = Type.Object(
  {
    email: Email(),
    role: Type.Optional(Word(roles, { default: 'member', description: 'Never above the role of whoever gives it.' })),
    password: Type.Optional(
      Password({ description: 'Makes the account at once; without one an invitation is made, to be handed on.' }),
    ),
  },
  { title: 'MemberWrite', additionalProperties: false },
)

/** Somebody added: a member, or an invitation whose text is shown this one time. */
export const AddedMember = Type.Object(
  {
    id: Nullable(Id({ description: 'Of the user; null until the invitation is accepted.' })),
    email: Email(),
    role,
    created_at: Timestamp(),
    invitation_id: Nullable(Id()),
    token: Nullable(Type.String({ description: 'Of the invitation; good once.' })),
    invitation_url: Nullable(Type.String()),
    expires_at: Nullable(Timestamp({ description: 'Of the invitation.' })),
  },
  { title: 'AddedMember' },
)
export type AddedMember = Static<typeof AddedMember>

export const MemberPatch = Type.Object({ role }, { title: 'MemberPatch', additionalProperties: false })
