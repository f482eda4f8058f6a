import { type Unavailable, UnavailableError } from './db.ts'

/** What the drivers call it; a name of SQLite stands for all that begin so, a class of PostgreSQL, too. */
const codes: [begin: string, why: Unavailable][] = [
  ['SQLITE_FULL', 'full'],
  ['SQLITE_IOERR', 'broken'],
  ['SQLITE_READONLY', 'broken'],
  ['SQLITE_CANTOPEN', 'broken'],
  ['SQLITE_BUSY', 'busy'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['53100', 'full'],
  ['53200', 'crowded'],
  ['53300', 'crowded'],
  // A replica that has not become the primary yet.
  ['25006', 'broken'],
  ['58030', 'broken'],
  ['57014', 'slow'],
  ['57P01', 'unreachable'],
  ['57P02', 'unreachable'],
  ['57P03', 'unreachable'],
  ['08', 'unreachable'],
  ['ECONNREFUSED', 'unreachable'],
  ['ECONNRESET', 'unreachable'],
  ['EPIPE', 'unreachable'],
  ['ETIMEDOUT', 'unreachable'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['ENOTFOUND', 'unreachable'],
  ['EAI_AGAIN', 'unreachable'],
]

/** What the driver of PostgreSQL says without a code. */
const words =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/** @returns undefined where it is the statement that is at fault, not the store */
export function unavailable(error: unknown, text = (error as Error).message): UnavailableError | undefined {
  if (error instanceof UnavailableError) return error
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  const why = codes.find(([begin]) => code.startsWith(begin))?.[1] ?? (words.test(message) ? 'unreachable' : undefined)
  return why === undefined ? undefined : Object.assign(new UnavailableError(why, text, error), { code })
}
