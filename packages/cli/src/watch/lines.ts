import type { Monitor } from '@watchpost/contract'
import type { Output } from '../output.ts'
import { type Change, changeLine, changeRecord, changesBetween } from './changes.ts'
import { type Pace, poll } from './poll.ts'

/** The watch without a screen: a line for each monitor at first, then one for each change. */
export async function watchLines(
  load: () => Promise<Monitor[]>,
  first: Monitor[],
  out: Output,
  pace: Pace,
): Promise<void> {
  const say = (changes: Change[], at: number) => {
    for (const change of changes) {
      if (out.format === 'json') out.jsonLine(changeRecord(change, at))
      else out.line(changeLine(change, at))
    }
  }
  let known = first
  let staleSince: number | undefined
  let readAt = Date.now()
  say(changesBetween([], first), readAt)
  for await (const beat of poll(load, pace)) {
    if ('error' in beat) {
      if (staleSince === undefined)
        out.note(`stale since ${new Date(readAt).toISOString()}, retrying: ${beat.error.message}`)
      staleSince ??= readAt
      continue
    }
    if (staleSince !== undefined) out.note(`up to date again at ${new Date(beat.at).toISOString()}`)
    staleSince = undefined
    readAt = beat.at
    say(changesBetween(known, beat.data), beat.at)
    known = beat.data
  }
}
