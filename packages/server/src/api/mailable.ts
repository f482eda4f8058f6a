import type { FieldErrors } from '@watchpost/contract'
import { emailsOfMembers } from '@watchpost/store'
import type { Context } from '../context.ts'
import { mustStayOutside } from '../domain/private-target.ts'
import { keptEmail } from './credentials.ts'

/**
 * Whom a team's mails may go to: where anybody may make a team, the operator's mail server must not bring anybody's words to
 * anybody.
 * @returns undefined for any address
 */
export async function mailableBy(
  { db, config }: Pick<Context, 'db' | 'config'>,
  team_id: number,
): Promise<ReadonlySet<string> | undefined> {
  if (!mustStayOutside(team_id, config.registration)) return undefined
  return new Set((await db.all(emailsOfMembers, { team_id })).map(({ email }) => email))
}

/** @param kept addresses that were written to before: whoever has left the team may stay until somebody takes them out */
export function mailErrors(
  mailable: ReadonlySet<string> | undefined,
  to: string | readonly string[] | null | undefined,
  kept: string | readonly string[] = [],
): FieldErrors {
  if (mailable === undefined || !Array.isArray(to)) return {}
  const strangers = [...to.entries()].filter(
    ([_, address]) => !kept.includes(address) && !mailable.has(keptEmail(address)),
  )
  return Object.fromEntries(strangers.map(([index]) => [`to.${index}`, notAMember]))
}

const notAMember = 'is no member of the team; where anybody may register, mail goes to members only'
