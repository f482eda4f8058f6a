/** What clocks and calendars show somewhere. */
export interface LocalTime {
  /** Days since 1 January 1970. */
  day: number
  /** Milliseconds since midnight, as the clock shows it. */
  ms: number
}

export const dayMs = 86_400_000

// Making a formatter takes a thousand times as long as using it. Names come from people, in capitals of their liking.
const formats = new Map<string, Intl.DateTimeFormat>()
const mostFormats = 1000

/** Whether this is the name of a time zone; offsets such as `+01:00` are none, since they know no summer. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

export function localTime(at: number, zone: string): LocalTime {
  const wall = at + offsetAt(at, zone)
  const day = Math.floor(wall / dayMs)
  return { day, ms: wall - day * dayMs }
}

/**
 * When clocks somewhere show this; epoch ms. A time that they show twice, in autumn, is the first of the two. One that they
 * skip, in spring, is as long after the skip as it would have been after midnight: 02:30 is 03:30.
 */
export function instantOf({ day, ms }: LocalTime, zone: string): number {
  const wall = day * dayMs + ms
  const before = wall - offsetAt(wall - dayMs, zone)
  const after = wall - offsetAt(wall + dayMs, zone)
  const shown = [before, after].filter(at => at + offsetAt(at, zone) === wall)
  return shown.length === 0 ? before : Math.min(...shown)
}

/** How far clocks are ahead of UTC at a moment. */
function offsetAt(at: number, zone: string): number {
  if (zone === 'UTC') return 0
  const parts = formatOf(zone).formatToParts(at)
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find(part => part.type === type)?.value)
  const wall = Date.UTC(
    number('year'),
    number('month') - 1,
    number('day'),
    number('hour'),
    number('minute'),
    number('second'),
  )
  return wall - Math.floor(at / 1000) * 1000
}

/** @throws {RangeError} where there is no such zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  const made = formats.get(zone)
  if (made !== undefined) return made
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  if (formats.size >= mostFormats) formats.clear()
  formats.set(zone, format)
  return format
}
