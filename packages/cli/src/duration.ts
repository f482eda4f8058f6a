import { UsageError } from './usage-error.ts'

const units = { '': 1000, ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const

/** Milliseconds of `500ms`, `10s`, `1m`, `1h` or plain seconds. */
export function parseDuration(text: string, flag: string): number {
  const found = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(text.trim())
  const ms = found === null ? 0 : Number(found[1]) * units[(found[2] ?? '') as keyof typeof units]
  // Timers cannot hold more than 2^31 ms; nobody means to wait for 24 days.
  if (ms < 1 || ms > 2 ** 31 - 1) {
    throw new UsageError(`${flag}: must be a time above zero such as 500ms, 10s or 1m, not "${text}"`)
  }
  return ms
}

const spans: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }

/** Seconds of `90s`, `10m`, `2h`, `1d` or plain seconds. */
export function parseSeconds(text: string | number, flag: string): number {
  const found = /^(\d+(?:\.\d+)?)\s*([smhd]?)$/.exec(String(text).trim())
  const seconds = Math.round(Number(found?.[1]) * (spans[found?.[2] ?? ''] ?? 0))
  if (!(seconds > 0)) throw new UsageError(`${flag}: must be a time such as 90s, 10m, 2h or 1d, not "${text}"`)
  return seconds
}

/** `30 s`, `500 ms`, `2 min`: a time for people. */
export function sayDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 172_800_000) return `${Math.round(ms / 3_600_000)} h`
  return `${Math.round(ms / 86_400_000)} d`
}
