import type { Io } from '../io.ts'
import { fullScreen } from './full-screen.tsx'
import { Watch, type WatchProps } from './watch.tsx'

export interface WatchPlan extends Omit<WatchProps, 'onInterrupt'> {
  io: Io
}

/** Opens the watch; `first` is read already, so that it opens full. */
export function openWatch({ io, ...plan }: WatchPlan): Promise<number> {
  return fullScreen(io, onInterrupt => <Watch {...plan} onInterrupt={onInterrupt} />)
}
