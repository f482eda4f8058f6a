import { ApiError, type Monitor } from '@watchpost/contract'
import { useEffect, useSyncExternalStore } from 'react'
import { api } from './api.ts'
import { serverNow } from './clock.ts'
import { type CheckedEvent, isOpen, onEvent, onReconnect } from './live.ts'
import { lookedAfter } from './watched.ts'

export interface AllMonitors {
  /** By id. */
  list: Monitor[]
  total: number
  /** Whether there are pages that have not come yet. */
  loading: boolean
  error: unknown
}

const perPage = 100
const atOnce = 4
const sweepMs = 2000

/**
 * All monitors of the team: one page is shown as soon as it is there, the others follow, and events keep them as they
 * are by now. Searching and sorting ten thousand of them takes no request.
 */
class Monitors {
  private known: AllMonitors = { list: [], total: 0, loading: true, error: undefined }
  private byId = new Map<number, Monitor>()
  private readers = new Set<() => void>()
  private run = 0
  private started = false
  private due: ReturnType<typeof setTimeout> | undefined

  constructor() {
    onEvent('monitor.checked', (event: CheckedEvent) => {
      const { monitor_id, status, response_time_ms, last_check_at } = event
      if (!this.byId.has(monitor_id)) return this.reloadSoon()
      // What a probe tells late may be too old to count as a look.
      this.merge(monitor_id, { status: status as Monitor['status'], response_time_ms, last_check_at, watched: true })
    })
    onReconnect(() => this.reloadSoon())
    setInterval(() => this.sweep(), sweepMs)
    onEvent('monitor.status_changed', ({ monitor_id, new_status }) => this.merge(monitor_id, { status: new_status }))
  }

  read = (): AllMonitors => this.known

  subscribe = (reader: () => void): (() => void) => {
    this.readers.add(reader)
    return () => this.readers.delete(reader)
  }

  get(id: number): Monitor | undefined {
    return this.byId.get(id)
  }

  /** Loads them, unless that was done. */
  start(): void {
    if (!this.started) this.reload()
  }

  async reload(): Promise<void> {
    const run = ++this.run
    this.started = true
    this.known = { ...this.known, loading: true, error: undefined }
    this.tell(true)
    const next = new Map<number, Monitor>()
    try {
      const first = await this.page(1, run)
      if (first === undefined) return
      for (const monitor of first.data) next.set(monitor.id, monitor)
      const { total, total_pages } = first.meta
      if (this.byId.size === 0) this.take(next, total, total_pages > 1)
      let page = 2
      const worker = async () => {
        while (page <= total_pages) {
          const answer = await this.page(page++, run)
          if (answer === undefined) return
          for (const monitor of answer.data) next.set(monitor.id, monitor)
          if (this.byId === next) this.take(next, total, true)
        }
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      if (run === this.run) this.take(next, next.size, false)
    } catch (error) {
      if (run !== this.run) return
      this.known = { ...this.known, loading: false, error }
      this.tell(true)
    }
  }

  reloadSoon(): void {
    if (!this.started || this.due !== undefined) return
    this.due = setTimeout(() => {
      this.due = undefined
      this.reload()
    }, 1000)
  }

  /** What a write answered. */
  put(monitor: Monitor): void {
    if (!this.started) return
    this.byId.set(monitor.id, monitor)
    this.tell()
  }

  remove(id: number): void {
    if (this.byId.delete(id)) this.tell()
  }

  forget(): void {
    this.run++
    this.started = false
    this.byId = new Map()
    this.known = { list: [], total: 0, loading: true, error: undefined }
    this.tell(true)
    if (this.readers.size > 0) queueMicrotask(() => this.readers.size > 0 && this.start())
  }

  private merge(id: number, change: Partial<Monitor>): void {
    const monitor = this.byId.get(id)
    if (monitor === undefined) return
    this.byId.set(id, lookedAfter({ ...monitor, ...change }, serverNow()))
    this.tell()
  }

  private swept = 0

  /**
   * No event tells that nobody has looked any more. Without a connection, and right after this browser slept, it is this
   * page that has not heard of looks: that says nothing of them.
   */
  private sweep(): void {
    const slept = Date.now() - this.swept > 3 * sweepMs
    this.swept = Date.now()
    if (slept || !isOpen()) return
    const now = serverNow()
    for (const [id, monitor] of this.byId) {
      const after = lookedAfter(monitor, now)
      if (after === monitor) continue
      this.byId.set(id, after)
      this.tell()
    }
  }

  private take(next: Map<number, Monitor>, total: number, loading: boolean): void {
    this.byId = next
    this.known = { list: [], total, loading, error: undefined }
    this.tell()
  }

  private frame = 0
  /** At most once a frame, however many events come. */
  private tell(now = false): void {
    const publish = () => {
      this.frame = 0
      const list = [...this.byId.values()].sort((a, b) => a.id - b.id)
      const total = this.known.loading ? Math.max(this.known.total, list.length) : list.length
      this.known = { ...this.known, list, total }
      for (const reader of this.readers) reader()
    }
    if (now) publish()
    else if (this.frame === 0) this.frame = window.setTimeout(publish, 50)
  }

  private async page(page: number, run: number) {
    for (;;) {
      if (run !== this.run) return undefined
      try {
        return await api.listMonitors({ query: { page, per_page: perPage, sort: 'id' } })
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error
        await new Promise(resolve => setTimeout(resolve, (error.retryAfter ?? 5) * 1000))
      }
    }
  }
}

export const monitors = new Monitors()

export function useMonitors(): AllMonitors {
  useEffect(() => monitors.start(), [])
  return useSyncExternalStore(monitors.subscribe, monitors.read)
}
