import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'

/** What is known of one thing that was asked for. */
export interface Known<T> {
  data: T | undefined
  error: unknown
  loading: boolean
  /** When the data came, epoch ms. */
  at: number
}

interface Entry extends Known<unknown> {
  load: (() => Promise<unknown>) | undefined
  running: Promise<void> | undefined
  again: boolean
  readers: Set<() => void>
}

const entries = new Map<string, Entry>()
const nothing: Known<never> = { data: undefined, error: undefined, loading: true, at: 0 }
const kept = new Map<string, Known<unknown>>()

function entryOf(key: string): Entry {
  let entry = entries.get(key)
  if (entry === undefined) {
    entry = { ...nothing, load: undefined, running: undefined, again: false, readers: new Set() }
    entries.set(key, entry)
  }
  return entry
}

function change(key: string, entry: Entry, to: Partial<Known<unknown>>): void {
  Object.assign(entry, to)
  const { data, error, loading, at } = entry
  kept.set(key, { data, error, loading, at })
  for (const tell of entry.readers) tell()
}

function load(key: string): Promise<void> {
  const entry = entryOf(key)
  if (entry.running !== undefined) {
    // What changed while it was under way is not in its answer.
    entry.again = true
    return entry.running
  }
  const { load: ask } = entry
  if (ask === undefined) return Promise.resolve()
  if (!entry.loading) change(key, entry, { loading: true })
  entry.running = ask()
    .then(data => change(key, entry, { data, error: undefined, loading: false, at: Date.now() }))
    .catch(error => change(key, entry, { error, loading: false }))
    .finally(() => {
      entry.running = undefined
      if (entry.again) {
        entry.again = false
        load(key)
      }
    })
  return entry.running
}

/**
 * Reads something, keeps it under the key, and shows what is kept while it is asked for anew.
 * @param key what it is; undefined for nothing yet
 */
export function useQuery<T>(key: string | undefined, ask: () => Promise<T>): Known<T> & { reload: () => void } {
  const subscribe = useCallback(
    (tell: () => void) => {
      if (key === undefined) return () => undefined
      const entry = entryOf(key)
      entry.readers.add(tell)
      return () => entry.readers.delete(tell)
    },
    [key],
  )
  const known = useSyncExternalStore(subscribe, () => (key === undefined ? nothing : (kept.get(key) ?? nothing)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says all that the question depends on
  useEffect(() => {
    if (key === undefined) return
    const entry = entryOf(key)
    entry.load = ask
    if (Date.now() - entry.at > 2000 || entry.error !== undefined) load(key)
  }, [key])
  const reload = useCallback(() => {
    if (key !== undefined) load(key)
  }, [key])
  return { ...(known as Known<T>), reload }
}

/**
 * What was shown stays until what is asked for now is there: another page of a list is no reason to jump, nor to lose one's
 * place in it.
 */
export function useSteady<T>(known: Known<T> & { reload: () => void }): Known<T> & { reload: () => void } {
  const last = useRef<T>(undefined)
  useEffect(() => {
    if (known.data !== undefined) last.current = known.data
  }, [known.data])
  if (known.data !== undefined || known.error !== undefined || last.current === undefined) return known
  return { ...known, data: last.current }
}

/** Asks anew for all whose key begins so, where somebody is looking; forgets the others. */
export function invalidate(...prefixes: string[]): void {
  for (const [key, entry] of entries) {
    if (!prefixes.some(prefix => key.startsWith(prefix))) continue
    if (entry.readers.size > 0) load(key)
    else {
      entries.delete(key)
      kept.delete(key)
    }
  }
}

/** Puts in what is known already: the answer of a write. */
export function keep(key: string, data: unknown): void {
  change(key, entryOf(key), { data, error: undefined, loading: false, at: Date.now() })
}

/** Nothing of one log-in may be seen by the next. */
export function forgetAll(): void {
  for (const [key, entry] of entries) {
    if (entry.readers.size === 0) entries.delete(key)
    else change(key, entry, { data: undefined, error: undefined, loading: true, at: 0 })
    kept.delete(key)
  }
}

/** Asks again for all that is looked at: after a time without a connection. */
export function refreshAll(): void {
  invalidate('')
}
