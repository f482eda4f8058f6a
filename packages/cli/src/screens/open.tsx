import type { Monitor } from '@watchpost/contract'
import { render } from 'ink'
import { exitCodes } from '../exit.ts'
import type { Io } from '../io.ts'
import type { Feed } from '../watch/feed.ts'
import { Watch } from './watch.tsx'

export interface WatchPlan {
  io: Io
  feed: Feed
  /** Read already, so that the screen opens full. */
  first: Monitor[]
  id: number | undefined
  intervalMs: number
  url: string
  colour: boolean
}

/** Opens the screen until the person leaves it or the program is told to stop; the terminal is as before then. */
export async function openWatch({ io, ...plan }: WatchPlan): Promise<number> {
  let code: number = exitCodes.fine
  const screen = render(<Watch {...plan} onInterrupt={() => (code = exitCodes.interrupted)} />, {
    stdout: io.stdout as unknown as NodeJS.WriteStream,
    stdin: io.stdin as unknown as NodeJS.ReadStream,
    stderr: io.stderr as unknown as NodeJS.WriteStream,
    // Ctrl-C must end in 130, so the screen takes it as a key.
    exitOnCtrlC: false,
    alternateScreen: true,
    incrementalRendering: true,
  })
  const stop = () => screen.unmount()
  io.signal?.addEventListener('abort', stop, { once: true })
  try {
    await screen.waitUntilExit()
  } finally {
    io.signal?.removeEventListener('abort', stop)
    screen.cleanup()
  }
  return code
}
