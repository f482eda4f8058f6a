import { useEffect } from 'react'
import { isOpen, onReconnect } from '../core/live.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

/** The part of this program that draws a page did not come: the server is away, or has another one by now. */
export class PageNotLoaded extends Error {}

const remembered = 'watchpost-reloaded-at'
const onceMs = 60_000

/** Begins anew as soon as that can help, and not again and again where it does not. */
export function NotLoaded() {
  useEffect(() => {
    const ago = Date.now() - Number(sessionStorage.getItem(remembered) ?? 0)
    if (isOpen() && ago > onceMs) reload()
    return onReconnect(reload)
  }, [])
  return (
    <div className="empty" role="alert">
      <span className="empty-icon bad">
        <Icon name="offline" size={22} />
      </span>
      <h1>This page did not come</h1>
      <p>
        The server does not answer, or was updated since you opened this. It is tried again once the server is there.
      </p>
      <Button onClick={reload}>Reload now</Button>
    </div>
  )
}

function reload(): void {
  sessionStorage.setItem(remembered, String(Date.now()))
  location.reload()
}
