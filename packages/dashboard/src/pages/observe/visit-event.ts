import type { RumVisitEvent } from '@watchpost/contract'
import { milliseconds } from '../../core/format.ts'
import { rate, type VitalName, vitals, vitalText } from './vitals.ts'

/** How an event of a visit is told. */

const vitalOf = ({ type, name = '' }: RumVisitEvent): VitalName | undefined =>
  type === 'web_vital' && Object.hasOwn(vitals, name) ? (name as VitalName) : undefined

/** Without the host where it is the page's own. */
function shortly(address: string, page: string): string {
  const url = URL.parse(address)
  return url !== null && url.host === URL.parse(page)?.host ? url.pathname : address
}

/** What happened, in a line. */
export function titleOf(event: RumVisitEvent): string {
  const { type, page, name, value, duration_ms, status, request_url, message, target, referrer } = event
  const took = duration_ms === undefined ? '' : ` in ${milliseconds(duration_ms)}`
  const vital = vitalOf(event)
  switch (type) {
    case 'page_load':
      return `${URL.parse(page)?.pathname ?? page}${took}`
    case 'web_vital':
      return vital === undefined || value === undefined ? (name ?? '') : `${vital} ${vitalText(vital, value)}`
    case 'error':
      return [name, message].filter(Boolean).join(': ')
    case 'network':
      return `${[status || 'no answer', shortly(request_url ?? '', page)].join(' ')}${took}`
    case 'click':
      return target ?? ''
    case 'console':
      return message ?? ''
    case 'session_start':
      return referrer === undefined ? '' : `from ${referrer}`
    default:
      return name ?? ''
  }
}

/** Whether it is one that somebody looks for. */
export function toneOf(event: RumVisitEvent): 'good' | 'warn' | 'bad' | 'info' | 'quiet' {
  const { type, status = 0, level, value } = event
  const vital = vitalOf(event)
  if (type === 'error') return 'bad'
  if (type === 'network' && status >= 400) return status >= 500 ? 'bad' : 'warn'
  if (type === 'console' && level === 'error') return 'warn'
  if (vital !== undefined && value !== undefined) return rate(vital, value)
  return type === 'page_load' ? 'info' : 'quiet'
}

/** What else is known of it. */
export function factsOf({ source, line, column, app, navigation_type, level, data }: RumVisitEvent) {
  const place = source === undefined ? undefined : [source, line, column].filter(part => part !== undefined).join(':')
  const facts = { source: place, navigation: navigation_type, level, app, ...data }
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
