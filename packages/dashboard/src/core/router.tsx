import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'
import { matchPath } from './match-path.ts'

const base = '/app'
const readers = new Set<() => void>()
let mayLeave: (() => boolean) | undefined

function tell(): void {
  for (const reader of readers) reader()
}

window.addEventListener('popstate', tell)

/** Path within the dashboard, with its query: `/monitors/7?range=7d`. */
function current(): string {
  const { pathname, search } = location
  return `${pathname.startsWith(base) ? pathname.slice(base.length) || '/' : pathname}${search}`
}

export function useLocation(): { path: string; query: URLSearchParams } {
  const whole = useSyncExternalStore(subscribe, current)
  const [path = '/', query] = whole.split('?', 2)
  return { path, query: new URLSearchParams(query) }
}

function subscribe(reader: () => void): () => void {
  readers.add(reader)
  return () => readers.delete(reader)
}

export function navigate(to: string, { replace = false } = {}): void {
  if (mayLeave !== undefined && !mayLeave()) return
  history[replace ? 'replaceState' : 'pushState'](null, '', base + to)
  tell()
  if (!replace) window.scrollTo(0, 0)
}

/** Asks before what was typed is thrown away. @returns takes the question back */
export function askBeforeLeaving(ask: () => boolean): () => void {
  mayLeave = ask
  return () => {
    if (mayLeave === ask) mayLeave = undefined
  }
}

/** Changes one word of the query without a new entry in the history. */
export function setQuery(name: string, value: string | undefined): void {
  const query = new URLSearchParams(location.search)
  if (value === undefined || value === '') query.delete(name)
  else query.set(name, value)
  history.replaceState(null, '', `${location.pathname}${query.size === 0 ? '' : `?${query}`}`)
  tell()
}

export { matchPath }

export function Link({ to, onClick, ...rest }: { to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    // A new tab, a new window and a download are the browser's.
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate(to)
  }
  return <a href={base + to} onClick={follow} {...rest} />
}
