import type { ErrorCode, Role } from '@watchpost/contract'
import { mayActAs } from './roles.ts'

/** Why a change of somebody's role is refused. */
export interface Refusal {
  code: Extract<ErrorCode, 'forbidden' | 'conflict' | 'validation_failed'>
  message: string
}

export interface MemberChange {
  /** Role of whoever asks. */
  actor: Role
  /** Role of the member as it is. */
  from: Role
  /** Role it shall be; undefined to remove them. */
  to: Role | undefined
  /** Owners of the team beside this member. */
  otherOwners: number
  /** Whether somebody leaves by themselves, which needs no role. */
  leaves: boolean
}

/** Whether a member may be changed so (ruling 16); undefined where nothing stands in the way. */
export function judgeMemberChange({ actor, from, to, otherOwners, leaves }: MemberChange): Refusal | undefined {
  if (!leaves && !mayActAs(actor, 'admin')) {
    return { code: 'forbidden', message: `Your role is ${actor}; this needs admin or above` }
  }
  if (!leaves && from === 'owner' && actor !== 'owner') {
    return { code: 'forbidden', message: `Your role is ${actor}; only an owner changes or removes an owner` }
  }
  if (to !== undefined && !mayActAs(actor, to)) {
    return { code: 'validation_failed', message: `must not be above your own role, ${actor}` }
  }
  if (from === 'owner' && to !== 'owner' && otherOwners === 0) {
    return { code: 'conflict', message: 'A team needs an owner, and there is no other; make another one first' }
  }
  return undefined
}

/**
 * Whether an invitation is good still: whoever sent it must be able to send it now.
 * @param inviter undefined where no person sent it, null where they have left the team
 */
export function isStillInvited(role: Role, inviter: Role | null | undefined): boolean {
  if (inviter === undefined) return true
  return inviter !== null && mayActAs(inviter, 'admin') && mayActAs(inviter, role)
}
