import { isDeepStrictEqual } from 'node:util'
import { type JsonValue, query } from 'jsonpath-rfc9535'
import { bounded, TooSlow } from './bounded.ts'
import { Failure } from './failure.ts'
import type { HttpOptions, JsonAssertion } from './http-options.ts'

/** A whole answer, after redirects. */
export interface Answer {
  status: number
  /** Size of the body, decompressed. */
  bytes: number
  /** The first MiB of the body; asked for only where {@link readsBody}. */
  text: () => string
  /** Milliseconds until the last byte. */
  milliseconds: number
}

const usualStatus = ['200-299']

/** Judges an answer by the options, gravest first; null when it is as demanded. */
export function judgeAnswer(answer: Answer, options: HttpOptions): Failure | null {
  return (
    statusFailure(answer.status, options.expected_status ?? usualStatus) ??
    sizeFailure(answer.bytes, options.min_body_bytes ?? 0) ??
    (readsText(options) ? textFailure(answer.text(), options) : null) ??
    (options.json ? jsonFailure(answer.text(), options.json) : null) ??
    slowFailure(answer.milliseconds, options.max_response_time_ms)
  )
}

/** Whether the options ask for what is in the body. */
export const readsBody = (options: HttpOptions) => readsText(options) || options.json !== undefined

const readsText = ({ keyword, keyword_absent, body_regex }: HttpOptions) =>
  keyword !== undefined || keyword_absent !== undefined || body_regex !== undefined

function statusFailure(status: number, expected: readonly (number | string)[]): Failure | null {
  if (status >= 200 && status <= 299 && expected === usualStatus) return null
  const fits = expected.some(range => {
    const [from, to = from] = String(range).split('-').map(Number)
    return from !== undefined && to !== undefined && status >= from && status <= to
  })
  return fits ? null : new Failure('http_status', `The status was ${status}, not ${expected.join(' or ')}.`)
}

function sizeFailure(bytes: number, least: number): Failure | null {
  if (bytes >= least) return null
  return new Failure('empty_body', `The body had ${bytes} bytes; at least ${least} are demanded.`)
}

function textFailure(text: string, options: HttpOptions): Failure | null {
  const { keyword, keyword_absent, body_regex } = options
  if (keyword !== undefined && !text.includes(keyword)) {
    return new Failure('keyword_missing', `The body does not contain ${JSON.stringify(keyword)}.`)
  }
  if (keyword_absent !== undefined && text.includes(keyword_absent)) {
    return new Failure('keyword_forbidden', `The body contains ${JSON.stringify(keyword_absent)}.`)
  }
  if (body_regex === undefined) return null
  const matches = orTooSlow('body_regex', () => new RegExp(body_regex).test(text))
  if (matches instanceof Failure) return matches
  return matches ? null : new Failure('assertion_failed', `The body does not match ${JSON.stringify(body_regex)}.`)
}

function jsonFailure(text: string, assertions: JsonAssertion[]): Failure | null {
  let json: JsonValue
  try {
    json = JSON.parse(text)
  } catch {
    return new Failure('assertion_failed', 'The body is not JSON.')
  }
  for (const assertion of assertions) {
    // A path may hold a pattern (match, search), so it is bounded as one.
    const values = orTooSlow(`JSON path ${assertion.path}`, () => query(json, assertion.path))
    if (values instanceof Failure) return values
    const message = assertionMessage(values, assertion)
    if (message) return new Failure('assertion_failed', message)
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

function slowFailure(milliseconds: number, most: number | undefined): Failure | null {
  if (most === undefined || milliseconds <= most) return null
  return new Failure('too_slow', `The answer took ${Math.ceil(milliseconds)} ms; at most ${most} ms are allowed.`)
}

function orTooSlow<T>(what: string, work: () => T): T | Failure {
  try {
    return bounded(work)
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error
    return new Failure('assertion_failed', `${what} ${error.message} on this body; simplify it.`)
  }
}
