import type { Monitor } from '@watchpost/contract'
import { useApp, useWindowSize } from 'ink'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Feed } from '../watch/feed.ts'
import { Keys } from './keys.tsx'
import { MonitorList } from './monitor-list.tsx'
import { MonitorScreen } from './monitor-screen.tsx'
import { severityOrder } from './severity.ts'
import { useKeys } from './use-keys.ts'
import { usePoll } from './use-poll.ts'

export interface WatchProps {
  feed: Feed
  first: Monitor[]
  /** Only this one is watched; there is no list to go back to. */
  id: number | undefined
  intervalMs: number
  url: string
  colour: boolean
  onInterrupt(): void
}

/** The full-screen watch: a list, one monitor, or the keys. */
export function Watch({ feed, first, id, intervalMs, url, colour, onInterrupt }: WatchProps) {
  const { exit } = useApp()
  const { columns, rows } = useWindowSize()
  const [openId, setOpenId] = useState(id)
  // Undefined until the person moves: then what is worst, whichever that is.
  const [selectedId, setSelectedId] = useState<number>()
  const [showsKeys, setShowsKeys] = useState(false)
  const load = useCallback(() => feed.monitors(), [feed])
  // While one monitor is open the list rests: a token may ask only so often.
  const reading = usePoll(load, first, intervalMs, openId === undefined)
  const now = useNow()
  const monitors = useMemo(() => severityOrder(reading.data), [reading.data])
  const found = monitors.findIndex(monitor => monitor.id === selectedId)
  const selected = Math.max(0, found)

  useKeys((input, key) => {
    const page = Math.max(1, rows - 5)
    const move = (to: number) => setSelectedId(monitors[Math.min(monitors.length - 1, Math.max(0, to))]?.id)
    if (key.ctrl && input === 'c') {
      onInterrupt()
      exit()
    } else if (input === 'q') exit()
    else if (showsKeys) setShowsKeys(false)
    else if (input === '?') setShowsKeys(true)
    else if (openId !== undefined) {
      if (id === undefined && (key.escape || key.leftArrow || key.backspace)) setOpenId(undefined)
    } else if (key.upArrow || input === 'k') move(selected - 1)
    else if (key.downArrow || input === 'j') move(selected + 1)
    else if (key.pageUp) move(selected - page)
    else if (key.pageDown) move(selected + page)
    else if (key.home || input === 'g') move(0)
    else if (key.end || input === 'G') move(monitors.length - 1)
    else if (key.return) setOpenId(monitors[selected]?.id)
  })

  const look = { columns, rows, colour, now }
  const open = reading.data.find(monitor => monitor.id === openId)
  if (showsKeys) return <Keys {...look} reading={reading} />
  if (open !== undefined) {
    return (
      <MonitorScreen
        key={open.id}
        {...look}
        feed={feed}
        first={open}
        intervalMs={intervalMs}
        canGoBack={id === undefined}
      />
    )
  }
  return <MonitorList {...look} url={url} reading={reading} monitors={monitors} selected={selected} />
}

/** The time, each second: "12 s ago" must not stand still. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
