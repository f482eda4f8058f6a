/// <reference lib="dom" />
import type { RumEvent } from './options.ts'

/** Events of one request, and of all that wait; what is beyond is lost, the oldest first. */
const atOnce = 40
const most = 200
const everyMs = 5000
/** Letters of a text: the server keeps no more of any. */
const longest = 8000
/** All requests that may outlive the page share 64 KiB. */
const largest = 60_000

/** Sends events in batches: soon, and at once when the page is put away. */
export function queueTo(url: string) {
  // As they were when they were added, whatever the page does with its objects later.
  let waiting: string[] = []
  let scheduled = false
  let failures = 0
  let sending = false
  let notBefore = 0

  const later = (ms: number) => {
    if (scheduled) return
    scheduled = true
    setTimeout(() => {
      scheduled = false
      send()
    }, ms)
  }

  /** In bytes: a letter may be three. What is too large by itself is refused by the browser unless it may end with the page. */
  const take = (): [string[], string, boolean] => {
    for (let count = atOnce; ; count = count >> 1) {
      const events = waiting.slice(0, count)
      const body = `[${events}]`
      const fits = new Blob([body]).size < largest
      if (fits || count < 2) {
        waiting = waiting.slice(count)
        return [events, body, fits]
      }
    }
  }

  // As text, which needs no preflight.
  const post = (body: string, keepalive: boolean) =>
    fetch(`${url}&sent_at=${Date.now()}`, { method: 'POST', body, keepalive, credentials: 'omit' })

  /** Goes back to the head of the line, and waits: longer each time, and not all pages at the same moment. */
  const again = (events: string[], seconds: number) => {
    waiting = events.concat(waiting).slice(-most)
    const wait = 1000 * Math.max(Math.min(seconds, 3600), Math.min(60, 2 ** failures++)) * (1 + Math.random() / 2)
    notBefore = Date.now() + wait
    later(wait)
  }

  const send = async () => {
    if (sending || !waiting[0]) return
    const wait = notBefore - Date.now()
    if (wait > 0) return later(wait)
    sending = true
    const [events, body, fits] = take()
    try {
      const { status, headers } = await post(body, fits)
      if (status === 429 || status >= 500) again(events, +(headers.get('retry-after') as string) || 0)
      else failures = 0
    } catch {
      again(events, 0)
    }
    sending = false
    if (waiting[0]) later(failures ? everyMs : 0)
  }

  return {
    /** @throws where the event has no JSON */
    add(event: RumEvent) {
      waiting.push(JSON.stringify(event, (_, value) => (typeof value === 'string' ? value.slice(0, longest) : value)))
      if (waiting.length > most) waiting.shift()
      if (waiting.length >= atOnce) send()
      else later(everyMs)
    },
    send,
    /** The page may not come back: nobody waits for an answer. */
    leave() {
      if (!navigator.onLine) return
      while (waiting[0]) {
        const [events, body, fits] = take()
        // It may only have been hidden.
        if (!navigator.sendBeacon?.(`${url}&sent_at=${Date.now()}`, body))
          post(body, fits).catch(() => again(events, 0))
      }
    },
    /** The network is back. */
    retry() {
      notBefore = 0
      send()
    },
  }
}
