import { type Role, type Scope, scopes } from '@watchpost/contract'
import { mayActAs } from './roles.ts'

const day = 24 * 3_600_000

/** A log-in that nobody uses ends after this. */
const idleMs = 14 * day
/** And every one ends after this, however much it is used. */
const longestMs = 90 * day
/** How late its use may be written down: not every request shall write. */
const lateMs = 60_000

/** When a log-in ends that began and was last used then; epoch ms. */
export function sessionEnd(createdAt: number, seenAt: number): number {
  return Math.min(seenAt + idleMs, createdAt + longestMs)
}

/** When even its cookie is thrown away. */
export function cookieEnd(createdAt: number): number {
  return createdAt + longestMs
}

/** Whether it is time to write down that it was used. */
export function isWorthNoting(seenAt: number, now: number): boolean {
  return now - seenAt >= lateMs
}

/** What is logged in has every scope that its role can use: the dashboard edits status pages. */
export function sessionScopes(role: Role): Scope[] {
  return mayActAs(role, 'member') ? [...scopes] : []
}
