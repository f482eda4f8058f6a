import { useApp } from 'ink'
import { useEffect, useState } from 'react'
import { poll } from '../watch/poll.ts'

/** The latest that was read, and since when nothing newer could be. */
export interface Reading<T> {
  data: T
  at: number
  trouble: string | undefined
}

/**
 * Reads while `active`, and keeps the last data through trouble and pauses.
 * Trouble that waiting does not mend ends the program with that error.
 */
export function usePoll<T>(load: () => Promise<T>, first: T, intervalMs: number, active = true): Reading<T> {
  const [reading, setReading] = useState<Reading<T>>(() => ({ data: first, at: Date.now(), trouble: undefined }))
  const { exit } = useApp()
  useEffect(() => {
    if (!active) return
    const stop = new AbortController()
    const follow = async () => {
      for await (const beat of poll(load, { intervalMs, signal: stop.signal })) {
        if ('error' in beat) setReading(last => ({ ...last, trouble: beat.error.message }))
        else setReading({ data: beat.data, at: beat.at, trouble: undefined })
      }
    }
    follow().catch(error => {
      if (!stop.signal.aborted) exit(error)
    })
    return () => stop.abort()
  }, [load, intervalMs, active, exit])
  return reading
}
