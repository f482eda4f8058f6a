import { type SentEvent, sentEvents } from '@watchpost/contract'
import { useEffect, useSyncExternalStore } from 'react'
import { refreshAll } from './cache.ts'

/** waiting: the connection has just begun or broken; away: it has been broken for a while. */
export type Connection = 'waiting' | 'open' | 'away'

export interface CheckedEvent {
  monitor_id: number
  status: string
  response_time_ms: number | null
  last_check_at: string
}

type EventKind = SentEvent | 'monitor.checked'
// biome-ignore lint/suspicious/noExplicitAny: each listener knows the body of what it listens for
type Listener = (data: any) => void

const kinds: EventKind[] = [...sentEvents, 'monitor.checked']
const listeners = new Map<EventKind, Set<Listener>>()
const watchers = new Set<() => void>()
const reconnects = new Set<() => void>()
let connection: Connection = 'waiting'
/** When the connection was last known to be there, epoch ms. */
let heardAt = Date.now()

function set(next: Connection): void {
  if (next === connection) return
  connection = next
  for (const watcher of watchers) watcher()
}

/** Keeps `GET /v1/events` open, for as long as somebody is logged in. @returns ends it */
export function followEvents(): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let away: ReturnType<typeof setTimeout> | undefined
  let ended = false
  let wasOpen = false

  const open = () => {
    if (ended) return
    source = new EventSource('/v1/events')
    source.onopen = () => {
      clearTimeout(away)
      away = undefined
      heardAt = Date.now()
      set('open')
      // What happened in between was told to nobody.
      if (wasOpen) {
        refreshAll()
        for (const call of reconnects) call()
      }
      wasOpen = true
    }
    source.onerror = () => {
      away ??= setTimeout(() => set('away'), 4000)
      if (connection === 'open') heardAt = Date.now()
      // A browser gives up for good when the answer is not a stream: we do not.
      if (source?.readyState === EventSource.CLOSED) {
        clearTimeout(timer)
        timer = setTimeout(open, 5000)
      }
    }
    for (const kind of kinds) {
      source.addEventListener(kind, event => {
        heardAt = Date.now()
        const body = JSON.parse((event as MessageEvent<string>).data)
        for (const listener of listeners.get(kind) ?? []) listener(kind === 'monitor.checked' ? body : body.data)
      })
    }
  }
  open()
  return () => {
    ended = true
    clearTimeout(timer)
    clearTimeout(away)
    source?.close()
    connection = 'waiting'
  }
}

export function onEvent(kind: EventKind, listener: Listener): () => void {
  const set = listeners.get(kind) ?? new Set()
  listeners.set(kind, set.add(listener))
  return () => set.delete(listener)
}

/** Calls back with what the events of this kind say, for as long as it is shown. */
export function useEvent(kind: EventKind, listener: Listener): void {
  useEffect(() => onEvent(kind, listener), [kind, listener])
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    tell => {
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
    () => connection,
  )
}

/** Calls back when the connection is there again. @returns ends it */
export function onReconnect(call: () => void): () => void {
  reconnects.add(call)
  return () => {
    reconnects.delete(call)
  }
}

/** Whether events come: what is not heard of then did not happen. */
export const isOpen = (): boolean => connection === 'open'

export const lastHeard = (): number => heardAt
