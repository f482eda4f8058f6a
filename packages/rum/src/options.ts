/** What a page may say about how it is watched. */
export interface Options {
  /** The app's RUM key, `wp_rum_…`; it is no secret. */
  apiKey: string
  /** Where this server is: `https://watch.example.com`. By script tag it is where the script came from. */
  endpoint?: string
  /** Name and version of what is watched, on every event. */
  app?: string
  /** Share of visits that are watched, 0 to 1; 1 if absent. */
  sampleRate?: number
  /** Sees every event before it is sent; what it returns is sent, nothing if it returns nothing. */
  beforeSend?(event: RumEvent): RumEvent | null | false | undefined
  /** Reports clicks: which element, never what is in it. */
  clicks?: boolean
  /** Reports what is written by `console.error` and `console.warn`. */
  console?: boolean
  /** Reports requests by fetch and XMLHttpRequest. */
  network?: boolean
  /** Adds `traceparent` to requests to the page's own origin, and reports them with their trace id. */
  tracePropagation?: boolean
  /** Watches visitors whose browser asks not to be tracked (DNT, GPC) as well; they are left alone if absent. */
  ignorePrivacySignals?: boolean
}

/** What is sent; more fields than these are allowed. */
export interface RumEvent {
  type: string
  [field: string]: unknown
}

/** What `init` returns. */
export interface Rum {
  /** Reports something of the page's own. */
  track(name: string, data?: Record<string, unknown>): void
  /** Reports an error that was caught. */
  error(error: unknown): void
  /** Sends what waits. */
  flush(): void
  /** Reports nothing any more. */
  stop(): void
}
