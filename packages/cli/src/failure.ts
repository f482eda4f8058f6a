import { ApiError, UnreachableError } from '@watchpost/contract'
import type { Outcome } from './command.ts'
import { sayDuration } from './duration.ts'
import { exitCodes, exitOfErrorCode } from './exit.ts'
import { flagOfField, quotesFor } from './flags.ts'
import { UsageError } from './usage-error.ts'

/** What is said of an error, and the exit code it ends with. */
export interface Failure {
  lines: string[]
  code: number
}

/** An error as lines for people: what is wrong and how to mend it, then each field by the name of its flag. */
export function failureOf(error: unknown, ran: Outcome['ran']): Failure {
  if (error instanceof UsageError) return { lines: lines(error.message, error.fields), code: exitCodes.usage }
  if (error instanceof UnreachableError) return { lines: lines(error.message), code: exitCodes.unreachable }
  if (error instanceof ApiError) {
    const { flags = [], given = {} } = ran ?? {}
    const fields = Object.entries(error.errors).map(([field, message]) => [
      flagOfField(flags, field),
      message + quotesFor(flags, given, field, message),
    ])
    return { lines: lines(withMend(error, ran), Object.fromEntries(fields)), code: exitOfErrorCode[error.code] }
  }
  return { lines: lines(error instanceof Error ? error.message : String(error)), code: exitCodes.bad }
}

function lines(message: string, fields: Record<string, string> = {}): string[] {
  return [`error: ${message}`, ...Object.entries(fields).map(([field, text]) => `  ${field}: ${text}`)]
}

function withMend(error: ApiError, ran: Outcome['ran']): string {
  const mend = mends(error, ran)
  return mend === undefined ? error.message : `${error.message.replace(/[.;\s]+$/, '')}${mend}`
}

function mends(error: ApiError, ran: Outcome['ran']): string | undefined {
  switch (error.code) {
    case 'unauthorized':
      return '; check the token (--token, WATCHPOST_TOKEN or WATCHPOST_TOKEN_FILE)'
    case 'forbidden':
      return '; "monitorctl whoami" shows your role and scopes'
    case 'not_found':
      return ran === undefined ? undefined : ` (${ran.line})${listHint(ran)}`
    case 'rate_limit_exceeded':
    case 'unavailable':
      return error.retryAfter === undefined
        ? '; try again later'
        : `; try again in ${sayDuration(error.retryAfter * 1000)}`
    default:
      return undefined
  }
}

function listHint({ noun, listedBy = `${noun} list` }: NonNullable<Outcome['ran']>): string {
  return ['monitorctl', 'team', 'context'].includes(noun) ? '' : `; "monitorctl ${listedBy}" shows what there is`
}
