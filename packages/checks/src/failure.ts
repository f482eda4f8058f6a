import type { ErrorKind } from '@watchpost/contract'

/** Why a check did not end well: thrown inside a check type, turned into an `Outcome` by `look`. */
export class Failure extends Error {
  override name = 'Failure'
  readonly kind: ErrorKind

  /**
   * @param kind a `probe_` kind makes the outcome `error`, every other kind `offline`
   * @param message one sentence for people, without secrets
   */
  constructor(kind: ErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
