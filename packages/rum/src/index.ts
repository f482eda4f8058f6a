/// <reference lib="dom" />
import { type MetricType, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals'
import { watchNetwork } from './network.ts'
import type { Options, Rum, RumEvent } from './options.ts'
import { queueTo } from './queue.ts'
import { hex, visits } from './visit.ts'

export type { Options, Rum, RumEvent } from './options.ts'

/** Errors, clicks and such that one page reports at most of each. */
const mostOfEach = 50

const noop = () => {}
const nothing: Rum = { track: noop, error: noop, flush: noop, stop: noop }
/** Neither the query nor the fragment leaves the browser. */
const bare = (url: string) => url.split(/[?#]/)[0] as string

/** What was thrown, in words. Anything may be thrown, and looking at it may throw. */
function wordsOf(thrown: unknown): { name?: string; message: string; stack?: string } {
  const wordless = '[object Object]'
  const words: Record<string, string> & { message: string } = { message: wordless }
  try {
    words.message = String(thrown)
    for (const field of ['name', 'message', 'stack']) {
      const value = Object(thrown)[field]
      if (typeof value === 'string') words[field] = value
    }
  } catch {}
  try {
    // Of an object that says nothing, what it is made of, but not what is in it.
    if (words.message === wordless) words.message = `Object {${Object.keys(Object(thrown))}}`
  } catch {}
  return words
}

/** Begins to watch the page, once: asked again with the same key, it is the one that watches already. */
export function init(options: Options): Rum {
  const { apiKey, endpoint = location.origin, app, sampleRate = 1, beforeSend } = options
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean }
  if (!options.ignorePrivacySignals && (globalPrivacyControl || doNotTrack === '1')) return nothing

  // As the browser writes it, so that the script's own requests are known among the page's.
  const own = new URL(`${endpoint.replace(/\/$/, '')}/v1/ingest?api_key=`, document.baseURI).href
  const url = own + apiKey
  // The page may hold the script twice.
  const page = window as unknown as Record<string, Rum | undefined>
  if (page[url]) return page[url]
  const queue = queueTo(url)
  let stopped = false
  const place = () => bare(location.href)

  const put = (session_id: string, fields: RumEvent) => {
    const timestamp = Date.now()
    // Ids that begin with the time lie side by side where they are kept.
    const event: RumEvent = {
      id: timestamp.toString(36) + hex(8),
      url: place(),
      timestamp,
      session_id,
      app,
      ...fields,
    }
    // What cannot be looked through, or has no JSON, is not sent, and the page goes on.
    try {
      const kept = beforeSend ? beforeSend(event) : event
      if (kept) queue.add(kept)
    } catch {}
  }
  const visit = visits(sampleRate, id => put(id, { type: 'session_start', referrer: bare(document.referrer) }))
  const report = (fields: RumEvent) => {
    if (stopped) return
    const id = visit()
    if (id) put(id, fields)
  }
  const counts: Record<string, number> = {}
  const limited = (fields: RumEvent) => {
    const count = (counts[fields.type] ?? 0) + 1
    counts[fields.type] = count
    if (count <= mostOfEach) report(fields)
  }
  const listen = (type: string, handle: (event: never) => void) =>
    addEventListener(type, handle as (event: Event) => void, true)

  // Page loads: of the document, out of the back-forward cache, and by the page's own navigations.
  let path = place()
  /** Navigations that are not painted yet. */
  const painting = new Set<() => void>()
  const navigated = (navigation_type: string) => {
    const from = performance.now()
    const url = place()
    path = url
    const tell = (duration_ms?: number) => {
      if (painting.delete(tell)) report({ type: 'page_load', url, navigation_type, duration_ms })
    }
    painting.add(tell)
    // Two frames later it is painted, but what nobody sees is not.
    requestAnimationFrame(() => requestAnimationFrame(() => tell(performance.now() - from)))
    if (document.hidden) tell()
  }
  const loaded = () =>
    setTimeout(() => {
      const [timing] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      // The page may have moved on by itself since.
      if (timing)
        report({
          type: 'page_load',
          url: bare(timing.name),
          navigation_type: timing.type,
          duration_ms: timing.duration,
        })
    })
  if (document.readyState === 'complete') loaded()
  else listen('load', loaded)
  const moved = () => {
    if (place() !== path) navigated('soft-navigation')
  }
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name]
    history[name] = (...args) => {
      original.apply(history, args)
      moved()
    }
  }
  listen('popstate', moved)
  listen('pageshow', ({ persisted }: PageTransitionEvent) => {
    if (persisted) navigated('back-forward-cache')
  })

  const vital = ({ name, value, id, navigationType, navigationURL }: MetricType) =>
    report({
      type: 'web_vital',
      url: bare(navigationURL ?? place()),
      name,
      value,
      id,
      navigation_type: navigationType,
    })
  for (const on of [onCLS, onFCP, onINP, onLCP, onTTFB]) on(vital)

  const seen = new Set<string>()
  const failed = (thrown: unknown, more?: object) => {
    const words = wordsOf(thrown)
    const { message, stack } = words
    // Of a script of another origin the browser says nothing.
    if (seen.size === mostOfEach || seen.has(message + stack) || (!stack && /^Script error/.test(message))) return
    seen.add(message + stack)
    report({ type: 'error', ...words, ...more })
  }
  listen('error', ({ error, message, filename, lineno, colno }: ErrorEvent) => {
    if (message) failed(error ?? message, { source: filename, line: lineno, column: colno })
  })
  listen('unhandledrejection', ({ reason }: PromiseRejectionEvent) => failed(reason))

  if (options.clicks)
    listen('click', ({ target }: MouseEvent) => {
      const { localName, id, classList } = target as Element
      limited({ type: 'click', target: localName + (id && `#${id}`) + (classList?.[0] ? `.${classList[0]}` : '') })
    })
  if (options.console)
    for (const level of ['error', 'warn'] as const) {
      // biome-ignore lint/suspicious/noConsole: nothing is written, what the page writes is reported
      const original = console[level]
      console[level] = (...args) => {
        original.apply(console, args)
        // Not everything has a text; the page must not hear of that.
        try {
          limited({ type: 'console', level, message: args.join(' ').slice(0, 1000) })
        } catch {}
      }
    }
  if (options.network || options.tracePropagation) watchNetwork(options, own, limited)

  // Hidden is the last thing that a page is sure to be told. What web-vitals reports then must be in the queue already.
  const leave = () => {
    for (const tell of painting) tell()
    queue.leave()
  }
  addEventListener('visibilitychange', () => {
    if (document.hidden) leave()
  })
  addEventListener('pagehide', leave)
  addEventListener('online', queue.retry)

  const rum: Rum = {
    track: (name, data) => report({ type: 'custom', name, data }),
    error: failed,
    flush: queue.send,
    stop() {
      stopped = true
      delete page[url]
    },
  }
  page[url] = rum
  return rum
}
