import { render } from 'ink'
import type { ReactNode } from 'react'
import { exitCodes } from '../exit.ts'
import type { Io } from '../io.ts'

// Whatever ends the program, the shell gets its screen and cursor back; twice does no harm.
const asBefore = '\u001b[?2004l\u001b[?1049l\u001b[?25h'

/**
 * Shows a screen until the person leaves it or the program is told to stop; the terminal is as before then.
 * @param screen made with what it calls on Ctrl-C
 * @param closed called at the end, however it came
 */
export async function fullScreen(
  io: Io,
  screen: (onInterrupt: () => void) => ReactNode,
  closed: () => void = () => undefined,
): Promise<number> {
  let code: number = exitCodes.fine
  const restore = () => void io.stdout.write(asBefore)
  process.once('exit', restore)
  // The screen is drawn from where the cursor is: a prompt that came late would shift its first line.
  io.stdout.write('\r')
  const shown = render(
    screen(() => (code = exitCodes.interrupted)),
    {
      stdout: io.stdout as unknown as NodeJS.WriteStream,
      stdin: io.stdin as unknown as NodeJS.ReadStream,
      stderr: io.stderr as unknown as NodeJS.WriteStream,
      // Ctrl-C must end in 130, so the screen takes it as a key.
      exitOnCtrlC: false,
      // Whether there is somebody to look was found out before; Ink would count an empty CI for one.
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
    },
  )
  const stop = () => shown.unmount()
  io.signal?.addEventListener('abort', stop, { once: true })
  try {
    await shown.waitUntilExit()
  } finally {
    io.signal?.removeEventListener('abort', stop)
    closed()
    shown.cleanup()
    process.removeListener('exit', restore)
  }
  return code
}
