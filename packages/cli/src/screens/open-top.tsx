import type { Session } from '../session.ts'
import type { Live } from '../top/live.ts'
import { feedOf } from '../watch/feed.ts'
import { fullScreen } from './full-screen.tsx'
import { Top } from './top.tsx'

/** Opens the screen of all monitors. */
export function openTop(session: Session, live: Live): Promise<number> {
  const { io, out, url } = session
  const look = { live, feed: feedOf(session), url, colour: out.colour }
  return fullScreen(
    io,
    onInterrupt => <Top {...look} onInterrupt={onInterrupt} />,
    () => live.close(),
  )
}
