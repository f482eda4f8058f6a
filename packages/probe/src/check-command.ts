import { randomUUID } from 'node:crypto'
import type { Check } from '@watchpost/checks'
import { type CheckTypeName, checkTypes, methods, type Outcome, type Timings } from '@watchpost/contract'
import { traceparentOf } from '@watchpost/contract/trace-id'
import { UsageError } from './config.ts'
import type { CheckRunner } from './run.ts'

/** Flags of `check`, as commander gives them. */
export interface CheckFlags {
  type?: string
  timeout?: string
  sslVerify?: boolean
  method?: string
  option?: string[]
  output?: string
}

const exitOf = { online: 0, offline: 1, error: 3 } as const

/**
 * One check, here and now, without a server.
 * @returns exit code: 0 online, 1 offline, 3 the probe could not check
 * @throws {UsageError} for a target, type or option that is not one
 */
export async function checkCommand(
  target: string,
  flags: CheckFlags,
  runCheck: CheckRunner,
  write: (text: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const output = word(flags.output ?? 'text', ['text', 'json'], '-o')
  const check = await parseCheck(target, flags)
  const outcome = await runCheck({ ...check, traceparent: traceparentOf(randomUUID()) }, { signal })
  write(output === 'json' ? `${JSON.stringify(outcomeJson(outcome))}\n` : describe(check, outcome))
  return exitOf[outcome.status]
}

/** @throws {UsageError} naming every field that is wrong */
export async function parseCheck(target: string, flags: CheckFlags): Promise<Check> {
  const check: Check = {
    type: word(flags.type ?? guessType(target), checkTypes, '--type'),
    target,
    method: word((flags.method ?? 'get').toLowerCase(), methods, '--method'),
    timeout: parseTimeout(flags.timeout ?? '10'),
    ssl_verify: flags.sslVerify ?? true,
    options: Object.fromEntries((flags.option ?? []).map(parseOption)),
  }
  // Read only here: whoever runs what the server has judged needs none of it.
  const { validateCheck } = await import('@watchpost/checks/validate')
  const errors = Object.entries(validateCheck(check))
  const faults = errors.map(
    ([field, message]) => `${field}: ${message}${quotesFor(flags.option ?? [], field, message)}`,
  )
  if (faults.length > 0) throw new UsageError(faults.join('; '))
  return check
}

/** A URL is http or https, `host:port` is tcp, anything else is pinged. */
export function guessType(target: string): CheckTypeName {
  const scheme = /^(https?):\/\//i.exec(target)?.[1]?.toLowerCase()
  if (scheme !== undefined) return scheme as CheckTypeName
  // More than one colon outside brackets is an IPv6 address.
  return /^(\[[^\]]+\]|[^:]+):\d+$/.test(target) ? 'tcp' : 'ping'
}

function parseOption(text: string): [string, unknown] {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--option: "${text}" is not k=v`)
  const value = text.slice(at + 1)
  try {
    return [text.slice(0, at), JSON.parse(value)]
  } catch {
    return [text.slice(0, at), value]
  }
}

/** The mend where a text was meant, and what was given is JSON of another kind: `expect=220`. */
function quotesFor(given: string[], field: string, message: string): string {
  const key = field.replace(/^options\./, '')
  const text = given.findLast(pair => pair.startsWith(`${key}=`))?.slice(key.length + 1)
  if (text === undefined || !message.startsWith('must be a string')) return ''
  return `; write --option '${key}=${JSON.stringify(text)}'`
}

function parseTimeout(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !(seconds > 0 && seconds <= 60)) {
    throw new UsageError(`--timeout: "${text}" is not a number of seconds up to 60`)
  }
  return seconds
}

/** @throws {UsageError} naming the flag and the words it takes */
export function word<const W extends readonly string[]>(value: string, words: W, flag: string): W[number] {
  if (!words.includes(value)) throw new UsageError(`${flag}: "${value}" is not one of ${words.join(', ')}`)
  return value
}

/** The documented fields, in their order. */
function outcomeJson({ status, response_time_ms, error_kind, error_message, timings, details }: Outcome): Outcome {
  return { status, response_time_ms, error_kind, error_message, timings, details }
}

const phases: [keyof Timings, string][] = [
  ['resolve_ms', 'resolve'],
  ['connect_ms', 'connect'],
  ['tls_ms', 'tls'],
  ['first_byte_ms', 'first byte'],
  ['transfer_ms', 'transfer'],
]

/** A few lines for people: the verdict, why, where the time went, what was seen. */
export function describe(check: Check, outcome: Outcome): string {
  const { status, response_time_ms, error_kind, error_message, timings, details } = outcome
  const time = response_time_ms === null ? '' : ` in ${milliseconds(response_time_ms)}`
  const lines = [`${status}  ${check.type} ${withoutCredentials(check)}${time}`]
  if (error_kind !== null || error_message !== null) {
    lines.push(`  ${[error_kind, error_message].filter(Boolean).join(': ')}`)
  }
  const spent = phases.filter(([key]) => timings[key] !== undefined)
  if (spent.length > 0) {
    lines.push(`  ${spent.map(([key, label]) => `${label} ${milliseconds(timings[key] as number)}`).join(', ')}`)
  }
  for (const [key, value] of Object.entries(details)) {
    if (value !== null && value !== undefined) lines.push(`  ${key}: ${brief(value)}`)
  }
  return `${lines.join('\n')}\n`
}

/** What is printed ends up in the log of a build. */
function withoutCredentials({ type, target }: Check): string {
  return type === 'http' || type === 'https' ? target.replace(/^([a-z]+:\/\/)[^/?#\\]*@/i, '$1***@') : target
}

function milliseconds(ms: number): string {
  return `${ms < 1 ? ms.toFixed(2) : ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

function brief(value: unknown): string {
  // A target's own words must not steer the terminal.
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\p{Cc}/gu, ' ')
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
