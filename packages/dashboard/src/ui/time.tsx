import { useEffect, useState } from 'react'
import { ago, exactly } from '../core/format.ts'

/** How long ago, kept true; the exact time for the pointer that rests. */
export function Ago({ at, none = 'never' }: { at: string | null | undefined; none?: string }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick(n => n + 1), 5000)
    return () => clearInterval(timer)
  }, [])
  if (at === null || at === undefined) return <span className="quiet">{none}</span>
  return (
    <time dateTime={at} title={exactly(at)}>
      {ago(at)}
    </time>
  )
}
