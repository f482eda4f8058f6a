import { ApiError } from '@watchpost/contract'
import { type UserRow, userByEmail } from '@watchpost/store'
import type { Context } from '../context.ts'
import type { Visitor } from '../http/handler.ts'
import { hashPassword, verifyPassword } from '../password.ts'
import { newPassword } from '../secrets.ts'

/** E-mail addresses are compared as they are kept. */
export const keptEmail = (email: string): string => email.normalize('NFC').toLowerCase()

let decoy: Promise<string> | undefined

/**
 * The user with this e-mail and password. It takes as long, and says the same, whether there is no such account or the
 * password is wrong.
 * @throws {ApiError} unauthorized, or rate_limit_exceeded after too many failures for one account
 */
export async function provenUser(
  context: Pick<Context, 'db'>,
  visitor: Pick<Visitor, 'attempt'>,
  given: { email: string; password: string },
): Promise<UserRow> {
  const email = keptEmail(given.email)
  // Taken first: of many at the same moment no more are tried than of many in a row.
  const takeBack = visitor.attempt(email)
  decoy ??= hashPassword(newPassword())
  const instead = await decoy
  const user = await context.db.one(userByEmail, { email })
  const right = await verifyPassword(given.password, user?.password_hash ?? instead)
  if (user === undefined || !right) throw new ApiError('unauthorized', 'E-mail or password is wrong')
  takeBack()
  return user
}
