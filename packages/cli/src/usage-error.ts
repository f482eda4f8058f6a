/** The command line, a file or the environment is wrong; exit code 2, and nothing was asked of the server. */
export class UsageError extends Error {
  override name = 'UsageError'
  /** Flag to what is wrong with it, where several are. */
  readonly fields: Record<string, string>

  constructor(message: string, fields: Record<string, string> = {}) {
    super(message)
    this.fields = fields
  }
}

/** One wrong flag is one line; several get a line each. */
export function wrongFlags(fields: Record<string, string>): UsageError {
  const all = Object.entries(fields)
  const [only] = all
  if (all.length === 1 && only !== undefined) return new UsageError(`${only[0]}: ${only[1]}`)
  return new UsageError(`${all.length} flags need mending`, fields)
}
