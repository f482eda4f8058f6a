import Type, { type Static } from 'typebox'
import { Email, Id, Name, Timestamp, Word } from './scalar.ts'
import { roles } from './token.ts'

const email = Email()
const role = Word(roles)

/** An invitation nobody has accepted yet. */
export const Invitation = Type.Object(
  { id: Id(), email, role, created_at: Timestamp(), expires_at: Timestamp() },
  { title: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

/** What whoever has the link may know before they accept. */
export const OpenInvitation = Type.Object(
  {
    email,
    role,
    team: Name(),
    has_account: Type.Boolean({ description: 'Whether the password asked for is one that exists already.' }),
    expires_at: Timestamp(),
  },
  { title: 'OpenInvitation' },
)
export type OpenInvitation = Static<typeof OpenInvitation>

export const InvitationAnswer = Type.Object(
  {
    password: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Of the account, or for the new one; not needed by whoever is logged in as the one invited.',
      }),
    ),
  },
  { title: 'InvitationAnswer', additionalProperties: false },
)
