import { render } from 'ink'
import { exitCodes } from '../exit.ts'
import type { Session } from '../session.ts'
import type { Live } from '../top/live.ts'
import { feedOf } from '../watch/feed.ts'
import { Top } from './top.tsx'

// Whatever ends the program, the shell gets its screen and cursor back; twice does no harm.
const asBefore = '\u001b[?1049l\u001b[?25h'

/** Opens the screen until the person leaves it or the program is told to stop; the terminal is as before then. */
export async function openTop(session: Session, live: Live): Promise<number> {
  const { io, out } = session
  let code: number = exitCodes.fine
  const restore = () => void io.stdout.write(asBefore)
  process.once('exit', restore)
  const screen = render(
    <Top
      live={live}
      feed={feedOf(session)}
      url={session.url}
      colour={out.colour}
      onInterrupt={() => (code = exitCodes.interrupted)}
    />,
    {
      stdout: io.stdout as unknown as NodeJS.WriteStream,
      stdin: io.stdin as unknown as NodeJS.ReadStream,
      stderr: io.stderr as unknown as NodeJS.WriteStream,
      exitOnCtrlC: false,
      alternateScreen: true,
      incrementalRendering: true,
    },
  )
  const stop = () => screen.unmount()
  io.signal?.addEventListener('abort', stop, { once: true })
  try {
    await screen.waitUntilExit()
  } finally {
    io.signal?.removeEventListener('abort', stop)
    live.close()
    screen.cleanup()
    process.removeListener('exit', restore)
  }
  return code
}
