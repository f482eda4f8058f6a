import type { MonitorItem } from '@watchpost/contract'
import { type Raw, secondsOf } from './conversion.ts'

/** What the conditions of an endpoint add up to. */
export interface Wanted {
  options: Raw
  certificateDays: number | undefined
  judgesStatus: boolean
}

const noCounterpart = 'has no counterpart'

/**
 * Adds a condition such as `[STATUS] == 200` to what is wanted of a monitor.
 * @returns why it cannot be said, if it cannot
 */
export function applyCondition(condition: string, type: MonitorItem['type'], wanted: Wanted): string | undefined {
  const [, left = '', operator = '', right = ''] = /^\s*(.+?)\s*(==|!=|<=|>=|<|>)\s*(.*?)\s*$/.exec(condition) ?? []
  const isHttp = type === 'http' || type === 'https'
  const { options } = wanted
  if (left === '[STATUS]' && isHttp) {
    const codes = statusCodes(operator, right)
    if (codes === undefined) return noCounterpart
    const both = wanted.judgesStatus ? common(options.expected_status as Codes, codes) : codes
    if (both.length === 0) return 'contradicts the one before; left out'
    wanted.judgesStatus = true
    options.expected_status = both
    return undefined
  }
  if (left === '[RESPONSE_TIME]' && operator.startsWith('<')) {
    if (!isHttp) return `${noCounterpart} for ${type}`
    const most = Number(right)
    if (right === '' || Number.isNaN(most)) return noCounterpart
    options.max_response_time_ms = Math.min(60_000, most, Number(options.max_response_time_ms ?? most))
    return undefined
  }
  if (left === '[CONNECTED]') return operator === '==' && right === 'true' ? undefined : noCounterpart
  if (left === '[CERTIFICATE_EXPIRATION]' && operator.startsWith('>')) {
    const days = Math.min(3650, Math.ceil(secondsOf(right, 0) / 86_400))
    wanted.certificateDays = Math.max(days, wanted.certificateDays ?? 0)
    return undefined
  }
  if (left === '[DNS_RCODE]' && operator === '==' && type === 'dns') {
    options.expected_rcode = right
    return undefined
  }
  if (operator !== '==') return noCounterpart
  if (left === '[BODY]') return wholeBody(type, right, options)
  const has = /^has\(\[BODY\]\.?(.*)\)$/.exec(left)
  if (has !== null && isHttp) return json(options, has[1] ?? '', { exists: right === 'true' })
  const path = /^\[BODY\]\.?([\w.[\]-]+)$/.exec(left)
  if (path === null || !isHttp) return noCounterpart
  const part = /^pat\(\*(.*)\*\)$/.exec(right)
  if (part !== null) return json(options, path[1] ?? '', { contains: part[1] })
  return /^\w+\(/.test(right) ? noCounterpart : json(options, path[1] ?? '', { equals: literalValue(right) })
}

function wholeBody(type: MonitorItem['type'], right: string, options: Raw): string | undefined {
  if (type === 'dns') {
    if (/[*(]/.test(right)) return noCounterpart
    options.expected_answers = [...((options.expected_answers as string[]) ?? []), right]
    return undefined
  }
  const pattern = /^pat\((.*)\)$/.exec(right)?.[1]
  const inner = pattern === undefined ? undefined : /^\*([^*]+)\*$/.exec(pattern)?.[1]
  if (type === 'tcp') {
    if (inner === undefined) return `${noCounterpart} for tcp, where only a part can be asked for`
    if (options.expect !== undefined && options.expect !== inner) return 'is a second part; only one can be asked for'
    options.expect = inner
    return undefined
  }
  if (type !== 'http' && type !== 'https') return `${noCounterpart} for ${type}`
  if (inner !== undefined && options.keyword === undefined) options.keyword = inner
  else if (options.body_regex !== undefined || /^\w+\(/.test(pattern ?? right)) return noCounterpart
  else options.body_regex = `^${(pattern ?? right).split('*').map(escapeRegex).join('[\\s\\S]*')}$`
  return undefined
}

const escapeRegex = (text: string): string => text.replaceAll(/[.*+?()[\]{}|^$\\/-]/g, '\\$&')

function json(options: Raw, path: string, assertion: Raw): undefined {
  const full = path === '' ? '$' : path.startsWith('[') ? `$${path}` : `$.${path}`
  options.json = [...((options.json as Raw[]) ?? []), { path: full, ...assertion }]
  return undefined
}

function literalValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Codes = (number | string)[]

/** Codes that both let pass, as ranges where they follow each other. */
function common(one: Codes, other: Codes): Codes {
  const passes = (codes: Codes, code: number) =>
    codes.some(each => {
      const [from = 0, to = from] = String(each).split('-').map(Number)
      return from <= code && code <= to
    })
  const ranges: [number, number][] = []
  for (let code = 100; code < 600; code++) {
    if (!passes(one, code) || !passes(other, code)) continue
    const last = ranges.at(-1)
    if (last?.[1] === code - 1) last[1] = code
    else ranges.push([code, code])
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`))
}

/** Codes and ranges that a comparison lets pass. */
function statusCodes(operator: string, right: string): Codes | undefined {
  const any = /^any\((.*)\)$/.exec(right)
  if (any !== null && operator === '==') {
    const codes = (any[1] ?? '').split(',').map(each => Number(each.trim()))
    return codes.every(code => Number.isInteger(code)) ? codes : undefined
  }
  const code = Number(right)
  if (!Number.isInteger(code) || code < 100 || code > 600) return undefined
  const range = (from: number, to: number) => (from > to ? undefined : [from === to ? from : `${from}-${to}`])
  switch (operator) {
    case '==':
      return [code]
    case '<':
      return range(100, code - 1)
    case '<=':
      return range(100, code)
    case '>':
      return range(code + 1, 599)
    case '>=':
      return range(code, 599)
    default:
      return [...(range(100, code - 1) ?? []), ...(range(code + 1, 599) ?? [])]
  }
}
