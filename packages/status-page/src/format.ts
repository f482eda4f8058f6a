const utc = { timeZone: 'UTC' } as const
const days = { day: 'numeric', month: 'short', year: 'numeric' } as const

/** Dates and numbers as people of a locale write them, always in UTC. */
export class Format {
  readonly #day: Intl.DateTimeFormat
  readonly #month: Intl.DateTimeFormat
  readonly #time: Intl.DateTimeFormat
  readonly #clock: Intl.DateTimeFormat
  readonly #number: (digits: number, unit: string) => Intl.NumberFormat

  constructor(locale: string) {
    this.#day = new Intl.DateTimeFormat(locale, { ...days, ...utc })
    this.#month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', ...utc })
    const clock = { ...utc, hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const
    this.#time = new Intl.DateTimeFormat(locale, { ...days, ...clock })
    this.#clock = new Intl.DateTimeFormat(locale, clock)
    const made = new Map<string, Intl.NumberFormat>()
    // Making an Intl formatter costs far more than using it, and a page needs the same few thousands of times.
    this.#number = (digits, unit) => {
      const key = `${digits} ${unit}`
      const known = made.get(key)
      if (known) return known
      const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
      const format = new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'second' ? 'narrow' : 'short',
        ...fraction,
      })
      made.set(key, format)
      return format
    }
  }

  /** '2026-11-21' as '21 Nov 2026'. */
  day(date: string): string {
    return this.#day.format(new Date(date))
  }

  /** A timestamp as 'November 2026'. */
  month(timestamp: string): string {
    return this.#month.format(new Date(timestamp))
  }

  /** Two days as '3 – 7 Nov 2026'. */
  days(from: string, to: string): string {
    return from === to ? this.day(from) : this.#day.formatRange(new Date(from), new Date(to))
  }

  /** A timestamp as '21 Nov 2026, 09:30 UTC'; undefined where it is no time at all. */
  time(timestamp: string): string | undefined {
    const time = new Date(timestamp)
    return Number.isNaN(time.getTime()) ? undefined : this.#time.format(time)
  }

  /** A timestamp after another: '11:00 UTC' where it is of the same day, or all of it. */
  timeAfter(before: string, timestamp: string): string | undefined {
    const sameDay = before.slice(0, 10) === timestamp.slice(0, 10)
    return sameDay && this.time(timestamp) !== undefined
      ? this.#clock.format(new Date(timestamp))
      : this.time(timestamp)
  }

  /** Rounded down, so that 100% is said only of a time without any failure. */
  percent(value: number): string {
    const digits = value === 100 ? 0 : 2
    return this.#number(digits, 'percent').format(Math.floor(value * 100 + 1e-6) / 100)
  }

  /** '182 ms', or '12.3s' from ten seconds on. */
  duration(milliseconds: number): string {
    if (milliseconds >= 10_000) return this.#number(1, 'second').format(milliseconds / 1000)
    return this.#number(milliseconds < 10 ? 1 : 0, 'millisecond').format(milliseconds)
  }
}
