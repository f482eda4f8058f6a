import Type, { type Static } from 'typebox'
import { Id, Word } from './scalar.ts'
import { roles, scopes } from './token.ts'

/** The caller's team, and who the caller is in it. */
export const Team = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    plan: Type.String(),
    caller: Type.Object({ role: Word(roles), scopes: Type.Array(Word(scopes)) }),
  },
  { title: 'Team' },
)
export type Team = Static<typeof Team>
