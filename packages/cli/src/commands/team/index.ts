import type { Noun, Verb } from '../../command.ts'
import { getTeam } from './get.ts'
import { verbs as invitations } from './invitations/index.ts'
import { verbs as members } from './members/index.ts'
import { updateTeam } from './update.ts'

export const verbs: Verb[] = [getTeam, updateTeam]

export const nouns: NonNullable<Noun['nouns']> = {
  members: { summary: 'Who is in your team', verbs: members },
  invitations: { summary: 'Who is asked to be in your team', verbs: invitations },
}
