import { useEffect, useState } from 'react'
import { ago } from '../core/format.ts'
import { lastHeard, useConnection } from '../core/live.ts'
import { Icon } from '../ui/icon.tsx'

/** Says when what is shown may be out of date. */
export function ConnectionBar() {
  const connection = useConnection()
  const [online, setOnline] = useState(navigator.onLine)
  const [, tick] = useState(0)
  useEffect(() => {
    const look = () => setOnline(navigator.onLine)
    window.addEventListener('online', look)
    window.addEventListener('offline', look)
    const timer = setInterval(() => tick(n => n + 1), 5000)
    return () => {
      window.removeEventListener('online', look)
      window.removeEventListener('offline', look)
      clearInterval(timer)
    }
  }, [])
  if (online && connection !== 'away') return null
  return (
    <div className="connection" role="status">
      <Icon name="offline" />
      <span>
        {online ? 'The server does not answer.' : 'You are offline.'} What you see is as it was{' '}
        {ago(new Date(lastHeard()).toISOString())}; we keep trying.
      </span>
    </div>
  )
}
