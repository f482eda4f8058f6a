import type { Monitor } from '@watchpost/contract'
import { stateOf, stateWord } from '../core/watched.ts'
import { Status } from './badge.tsx'

type Shown = Pick<Monitor, 'status' | 'watched'>

/** How a monitor is; one that nobody looks at is shown apart from up and down, and says what it was last. */
export function MonitorState({ monitor, note }: { monitor: Shown; note?: string | undefined }) {
  const state = stateOf(monitor)
  return <Status word={stateWord(state)} kind={state} note={note} title={lastKnown(monitor)} />
}

/** The same where there is room for its sign only. */
export function MonitorDot({ monitor, note }: { monitor: Shown; note?: string | undefined }) {
  const state = stateOf(monitor)
  const said = note === undefined ? stateWord(state) : `${stateWord(state)}, ${note}`
  return <span className={`dot ${state}`} role="img" aria-label={said} title={lastKnown(monitor)} />
}

function lastKnown(monitor: Shown): string | undefined {
  return stateOf(monitor) === 'unwatched' ? `${monitor.status} when somebody last looked` : undefined
}
