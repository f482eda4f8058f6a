const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** How a check went, for a bar: its time, null where it failed, "untimed" where it went well and nothing was timed. */
export type Seen = number | null | 'untimed'

/** A failed check may have a time, but not of an answer. */
export function seenOf({ status, response_time_ms }: { status: unknown; response_time_ms: number | null }): Seen {
  return String(status) === 'online' ? (response_time_ms ?? 'untimed') : null
}

/** Times as bars from the least to the greatest; a failed check is a cross, one that has no time a dot. */
export function sparkline(values: Seen[]): string {
  const known = values.filter(value => typeof value === 'number')
  const least = Math.min(...known)
  const span = Math.max(...known) - least
  return values
    .map(value => {
      if (value === null) return '×'
      if (value === 'untimed') return '·'
      return bars[span === 0 ? 3 : Math.round(((value - least) / span) * (bars.length - 1))]
    })
    .join('')
}

/** What such bars are, in a line. */
export function legendOf(values: Seen[], say: (ms: number) => string): string {
  const last = `Last ${values.length} checks`
  if (values.length === 0) return 'No checks yet'
  if (values.every(value => value === null)) return `${last}: none succeeded`
  const times = values.filter(value => typeof value === 'number')
  if (times.length === 0) return `${last}: · succeeded, × failed`
  const range = `${say(Math.min(...times))} to ${say(Math.max(...times))}`
  return `Response time of the last ${values.length} checks: ${range}, × failed`
}
