import Type, { type Static } from 'typebox'
import { Email, Id, Name, Password, Timestamp, Word } from './scalar.ts'
import { plans } from './team.ts'
import { roles, scopes } from './token.ts'

const email = Email()
const password = Password()
/** One that is to be compared, not kept: any that was ever allowed. */
const knownPassword = Type.String({ minLength: 1, maxLength: 200 })

export const LogIn = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254, examples: ['owner@example.com'] }),
    password: knownPassword,
    team_id: Type.Optional(Id({ description: 'Team to begin in; the one joined first if absent.' })),
  },
  { title: 'LogIn', additionalProperties: false },
)

export const Registration = Type.Object(
  { email, password, team: Name({ description: 'Name of the new team, which is yours.', examples: ['Acme'] }) },
  { title: 'Registration', additionalProperties: false },
)

export const TeamSwitch = Type.Object({ team_id: Id() }, { title: 'TeamSwitch', additionalProperties: false })

export const PasswordChange = Type.Object(
  { current_password: knownPassword, new_password: password },
  { title: 'PasswordChange', additionalProperties: false },
)

/** Who is logged in, and where they are. */
export const Session = Type.Object(
  {
    user: Type.Object({ id: Id(), email }),
    team: Type.Object({ id: Id(), name: Name(), plan: Word(plans) }),
    role: Word(roles),
    scopes: Type.Array(Word(scopes)),
    teams: Type.Array(Type.Object({ id: Id(), name: Name(), role: Word(roles) }), {
      description: 'Every team of the user, the one joined first at the head.',
    }),
    csrf_token: Type.String({ description: 'Goes with every write, as X-CSRF-Token.' }),
    expires_at: Timestamp({ description: 'When the log-in ends, unless it is used before.' }),
  },
  { title: 'Session' },
)
export type Session = Static<typeof Session>
