import { type Role, roles } from '@watchpost/contract'

/** Whether a role may do what asks for at least another (ruling 16's order: viewer, member, admin, owner). */
export function mayActAs(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

/** The weaker of two roles. */
export function weaker(one: Role, other: Role): Role {
  return mayActAs(one, other) ? other : one
}

/**
 * What a token may do now: what it was made for, and never more than its maker may by now (ruling 16).
 * @param maker undefined where no person made it, null where they have left the team
 * @returns undefined where it may do nothing any more
 */
export function effectiveRole(made: Role, maker: Role | null | undefined): Role | undefined {
  if (maker === undefined) return made
  return maker === null ? undefined : weaker(made, maker)
}
