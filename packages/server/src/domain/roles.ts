import { type Role, roles } from '@watchpost/contract'

/** Whether a role may do what asks for at least another (ruling 16's order: viewer, member, admin, owner). */
export function mayActAs(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
