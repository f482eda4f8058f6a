import type { Call } from '../../command.ts'
import { UsageError } from '../../usage-error.ts'

/** After `create` and `update`, --url is the channel's, which the general message would contradict. */
export function requireServerBeside(verb: string) {
  return ({ session }: Call): void => {
    try {
      session.requireServer()
    } catch (error) {
      if (!(error instanceof UsageError) || !error.message.startsWith('no server')) throw error
      throw new UsageError(
        `no server given: --url after "${verb}" is the channel's; set WATCHPOST_URL, or --url before "channels"`,
      )
    }
  }
}
