import { exitCodes } from './exit.ts'

/** The person pressed Ctrl-C where the terminal hands it to us as a key. */
export class Interrupted extends Error {
  override name = 'Interrupted'
  readonly code = exitCodes.interrupted
}
