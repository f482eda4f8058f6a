/// <reference lib="dom" />
import type { Options, RumEvent } from './options.ts'
import { hex } from './visit.ts'

/** Follows requests of the page, and gives those to its own origin a trace of their own when asked. */
export function watchNetwork(
  { network, tracePropagation }: Options,
  own: string,
  report: (fields: RumEvent) => void,
): void {
  const traces: Record<string, string> = {}
  /** @returns what to send along, for a request to the page's own origin */
  const begin = (target: string | URL) => {
    const { href, origin } = new URL(target, location.href)
    if (origin === location.origin && !href.startsWith(own)) {
      traces[href] = hex(16)
      return ['traceparent', `00-${traces[href]}-${hex(8)}-01`] as const
    }
  }

  if (tracePropagation) {
    const { fetch } = window
    window.fetch = (input, init) => {
      const request = new Request(input, init)
      const header = begin(request.url)
      if (header) request.headers.set(...header)
      return fetch(request)
    }
    const { open } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, ...args: unknown[]) {
      open.apply(this, args as never)
      const header = begin(args[1] as string)
      if (header) this.setRequestHeader(...header)
    }
  }

  new PerformanceObserver(list => {
    for (const { name, initiatorType, duration, responseStatus } of list.getEntries() as PerformanceResourceTiming[]) {
      const trace_id = traces[name]
      if (/^(fetch|xml)/.test(initiatorType) && !name.startsWith(own) && (network || trace_id))
        report({ type: 'network', request_url: name, status: responseStatus, duration_ms: duration, trace_id })
      delete traces[name]
    }
  }).observe({ type: 'resource' })
}
