import type { Verb } from '../../command.ts'
import { getTeam } from './get.ts'

export const verbs: Verb[] = [getTeam]
