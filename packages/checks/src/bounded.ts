import { createContext, Script } from 'node:vm'

const maxMilliseconds = 250
const script = new Script('work()')
const context = createContext(Object.create(null) as { work?: () => unknown })

/** Work took too long and was ended. */
export class TooSlow extends Error {
  override name = 'TooSlow'
}

/**
 * Runs synchronous work, but for a quarter of a second at most: a pattern that backtracks for years on a body made for
 * it must not hold up the other checks. The watchdog of node:vm ends whatever runs, our own functions included.
 * @throws {TooSlow} when the time is up
 */
export function bounded<T>(work: () => T): T {
  context.work = work
  try {
    return script.runInContext(context, { timeout: maxMilliseconds }) as T
  } catch (error) {
    // The error comes from the other context, so it is no instance of our Error.
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new TooSlow(`took longer than ${maxMilliseconds} ms`)
    }
    throw error
  } finally {
    context.work = undefined
  }
}
