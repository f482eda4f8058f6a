import { isDeepStrictEqual } from 'node:util'
import type { ErrorKind } from '@watchpost/contract'
import type { HttpOptions, JsonAssertion } from './http-options.ts'
import { type JsonValue, query } from './json-path.ts'

/** A whole answer, after redirects. */
export interface Answer {
  status: number
  /** Size of the body, decompressed. */
  bytes: number
  /** The body, where {@link readsBody}. */
  text: string
  /** Milliseconds until the last byte. */
  milliseconds: number
}

/** What is wrong with an answer. It crosses threads, so it is plain. */
export interface Flaw {
  kind: ErrorKind
  message: string
}

const usualStatus = ['200-299']

/** Judges an answer by the options, gravest first; null when it is as demanded. */
export function judgeAnswer(answer: Answer, options: HttpOptions): Flaw | null {
  return (
    statusFailure(answer.status, options.expected_status ?? usualStatus) ??
    sizeFailure(answer.bytes, options.min_body_bytes ?? 0) ??
    textFailure(answer.text, options) ??
    (options.json ? jsonFailure(answer.text, options.json) : null) ??
    slowFailure(answer.milliseconds, options.max_response_time_ms)
  )
}

/** Whether the options ask for what is in the body. */
export const readsBody = ({ keyword, keyword_absent, body_regex, json }: HttpOptions) =>
  keyword !== undefined || keyword_absent !== undefined || body_regex !== undefined || json !== undefined

const simplePath = /^\$(?:\.[\w-]+|\[\d+\]|\['[^'\\]*'\]|\["[^"\\]*"\])*$/

/**
 * Whether judging a body may take long: a pattern can backtrack for years on a body made for it, a path can visit
 * everything many times over.
 */
export const mayTakeLong = ({ body_regex, json }: HttpOptions) =>
  body_regex !== undefined || (json?.some(({ path }) => !simplePath.test(path)) ?? false)

function statusFailure(status: number, expected: readonly (number | string)[]): Flaw | null {
  if (status >= 200 && status <= 299 && expected === usualStatus) return null
  const fits = expected.some(range => {
    const [from, to = from] = String(range).split('-').map(Number)
    return from !== undefined && to !== undefined && status >= from && status <= to
  })
  return fits ? null : flaw('http_status', `The status was ${status}, not ${expected.join(' or ')}.`)
}

function sizeFailure(bytes: number, least: number): Flaw | null {
  if (bytes >= least) return null
  return flaw('empty_body', `The body had ${bytes} bytes; at least ${least} are demanded.`)
}

function textFailure(text: string, options: HttpOptions): Flaw | null {
  const { keyword, keyword_absent, body_regex } = options
  if (keyword !== undefined && !text.includes(keyword)) {
    return flaw('keyword_missing', `The body does not contain ${JSON.stringify(keyword)}.`)
  }
  if (keyword_absent !== undefined && text.includes(keyword_absent)) {
    return flaw('keyword_forbidden', `The body contains ${JSON.stringify(keyword_absent)}.`)
  }
  if (body_regex === undefined) return null
  if (new RegExp(body_regex).test(text)) return null
  return flaw('assertion_failed', `The body does not match ${JSON.stringify(body_regex)}.`)
}

function jsonFailure(text: string, assertions: JsonAssertion[]): Flaw | null {
  let json: JsonValue
  try {
    json = JSON.parse(text)
  } catch {
    return flaw('assertion_failed', 'The body is not JSON.')
  }
  for (const assertion of assertions) {
    const message = assertionMessage(query(json, assertion.path), assertion)
    if (message) return flaw('assertion_failed', message)
  }
  return null
}

function assertionMessage(values: JsonValue[], assertion: JsonAssertion): string | null {
  const { path, equals, contains, exists } = assertion
  if (exists !== undefined) {
    if (values.length > 0 === exists) return null
    return exists ? `There is nothing at ${path}.` : `There is something at ${path}.`
  }
  if ('equals' in assertion) {
    if (values.some(value => isDeepStrictEqual(value, equals))) return null
    return `${found(values, path)}, not ${JSON.stringify(equals)}.`
  }
  const holds = (value: JsonValue) =>
    Array.isArray(value)
      ? value.some(element => isDeepStrictEqual(element, contains))
      : typeof value === 'string' && value.includes(String(contains))
  return values.some(holds) ? null : `${found(values, path)}, without ${JSON.stringify(contains)}.`
}

function found(values: JsonValue[], path: string): string {
  if (values.length === 0) return `There is nothing at ${path}`
  return `At ${path} is ${(values.length === 1 ? JSON.stringify(values[0]) : `${values.length} values`).slice(0, 100)}`
}

function slowFailure(milliseconds: number, most: number | undefined): Flaw | null {
  if (most === undefined || milliseconds <= most) return null
  return flaw('too_slow', `The answer took ${Math.ceil(milliseconds)} ms; at most ${most} ms are allowed.`)
}

const flaw = (kind: ErrorKind, message: string): Flaw => ({ kind, message })
