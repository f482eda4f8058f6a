import Type, { type Static } from 'typebox'
import { Id, Name, Word } from './scalar.ts'
import { roles, scopes } from './token.ts'

/** What a team may have, smallest first (ruling 22). */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const
export type Plan = (typeof plans)[number]

/** The caller's team, and who the caller is in it. */
export const Team = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    plan: Word(plans),
    caller: Type.Object({ role: Word(roles), scopes: Type.Array(Word(scopes)) }),
  },
  { title: 'Team' },
)
export type Team = Static<typeof Team>

export const TeamPatch = Type.Object({ name: Name() }, { title: 'TeamPatch', additionalProperties: false })
