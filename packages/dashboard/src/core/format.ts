import { serverNow } from './clock.ts'

/** Words for amounts and times; numbers in the reader's language, words in English as everywhere here. */

const whole = new Intl.NumberFormat('en')

export const count = (value: number): string => whole.format(value)

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** 99.931 → 99.93 %; never 100 where something was missed. */
export function percent(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (value === 100 || value === 0) return `${value} %`
  if (value < 0.1) return '< 0.1 %'
  const digits = value >= 99.99 ? 3 : value >= 10 ? 2 : 1
  const cut = Math.floor(value * 10 ** digits) / 10 ** digits
  return `${cut.toFixed(digits)} %`
}

export function milliseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–'
  if (value === 0) return '0 ms'
  if (value < 10) return `${value.toFixed(1)} ms`
  if (value < 1000) return `${Math.round(value)} ms`
  return `${(value / 1000).toFixed(2)} s`
}

/** 90 → 1 m 30 s; two units at most. */
export function duration(seconds: number): string {
  const parts: string[] = []
  let rest = Math.max(0, Math.round(seconds))
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const amount = Math.floor(rest / size)
    rest -= amount * size
    if (amount > 0) parts.push(`${amount} ${unit}`)
  }
  return parts.slice(0, 2).join(' ') || '0 s'
}

/** 24h → 24 h: a number is not its unit. */
export const spaced = (text: string): string => text.replace(/^(\d+)([a-z]+)$/, '$1 $2')

export function ago(time: string | null | undefined, now = serverNow()): string {
  if (time === null || time === undefined) return 'never'
  const seconds = (now - Date.parse(time)) / 1000
  if (seconds < 0) return `in ${longest(-seconds)}`
  return seconds < 3 ? 'just now' : `${longest(seconds)} ago`
}

const longest = (seconds: number): string => duration(seconds).split(' ').slice(0, 2).join(' ')

const momentFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export const moment = (time: string | number): string => momentFormat.format(new Date(time))
export const exactly = (time: string | number): string => exactFormat.format(new Date(time))

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let amount = value
  let unit = 0
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000
    unit++
  }
  return `${unit === 0 ? amount : amount.toFixed(amount < 10 ? 1 : 0)} ${units[unit]}`
}

const shown: Record<string, string> = {
  ssl: 'SSL',
  tls: 'TLS',
  ip: 'IP',
  url: 'URL',
  json: 'JSON',
  id: 'ID',
  ids: 'IDs',
  http: 'HTTP',
  ms: '(ms)',
}

/** A field's name as people read it: ssl_verify → SSL verify. */
export function label(name: string): string {
  const words = name.split('_').map(word => shown[word] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
