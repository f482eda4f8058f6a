import type { Team } from '@watchpost/contract'
import type { View } from '../view.ts'

export const teamView: View<Team> = {
  singular: 'team',
  plural: 'teams',
  name: team => team.name,
  columns: [],
}

/** The caller in a sentence: `admin of Acme (plan pro), scopes: status-pages:write`. */
export function callerLine(team: Team): string {
  const scopes = team.caller.scopes.length === 0 ? 'no scopes' : `scopes: ${team.caller.scopes.join(', ')}`
  return `${team.caller.role} of ${team.name} (plan ${team.plan}), ${scopes}`
}
