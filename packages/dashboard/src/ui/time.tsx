import { useEffect, useState } from 'react'
import { serverNow } from '../core/clock.ts'
import { ago, duration, exactly } from '../core/format.ts'

function useTicking(): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick(n => n + 1), 5000)
    return () => clearInterval(timer)
  }, [])
}

/** For how long it has been so, kept true. */
export function Lasting({ since }: { since: string }) {
  useTicking()
  return (
    <time dateTime={since} title={`since ${exactly(since)}`}>
      {duration((serverNow() - Date.parse(since)) / 1000)}
    </time>
  )
}

/** How long ago, kept true; the exact time for the pointer that rests. */
export function Ago({ at, none = 'never' }: { at: string | null | undefined; none?: string }) {
  useTicking()
  if (at === null || at === undefined) return <span className="quiet">{none}</span>
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at)}
    </time>
  )
}
