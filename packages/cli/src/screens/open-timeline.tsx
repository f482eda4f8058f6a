import type { Session } from '../session.ts'
import { fullScreen } from './full-screen.tsx'
import { Timeline, type TimelineProps } from './timeline.tsx'

/** Opens the screen of incidents. */
export function openTimeline(
  { io, out, url }: Session,
  plan: Pick<TimelineProps, 'source' | 'first' | 'id' | 'intervalMs'>,
): Promise<number> {
  const look = { ...plan, url, colour: out.colour }
  return fullScreen(io, onInterrupt => <Timeline {...look} onInterrupt={onInterrupt} />)
}
