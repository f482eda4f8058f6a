import { UnavailableError } from '@watchpost/store'

/**
 * Brings up to date what is about to be read. Where a full disk takes no rows, what they held before is still to be read;
 * a store that cannot be read either says so itself.
 */
export async function settleForReading(of: { settle(): Promise<void> }): Promise<void> {
  try {
    await of.settle()
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
  }
}
