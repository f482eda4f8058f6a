import { ApiError, type ErrorCode, errorBody, type FieldErrors, statusOfCode } from './error.ts'
import type { Route } from './route.ts'

type Json = Record<string, unknown>

/** What each refusal means, for whoever reads the document. */
const meanings: Record<number, { code: ErrorCode; description: string }> = {
  400: { code: 'invalid_json', description: 'The body is missing, is not a JSON object, or holds no required field.' },
  401: { code: 'unauthorized', description: 'No credential, a revoked one, or one of another surface.' },
  403: { code: 'forbidden', description: 'The role, the scope or the plan does not allow it.' },
  404: { code: 'not_found', description: 'There is no such resource, or it is of another team.' },
  409: { code: 'conflict', description: 'The state of the resource, or a twin of this request, stands in the way.' },
  412: { code: 'precondition_failed', description: 'It has changed since the tag in `If-Match` was read.' },
  413: { code: 'payload_too_large', description: 'The body is larger than 1 MiB.' },
  415: { code: 'unsupported_media_type', description: 'The body was not sent as application/json.' },
  422: { code: 'validation_failed', description: 'Fields are wrong; `errors` has a message for each.' },
  429: { code: 'rate_limit_exceeded', description: 'Too many requests; `Retry-After` says when to try again.' },
  500: { code: 'internal_error', description: 'The server failed; trying again may help.' },
  503: { code: 'unavailable', description: 'Not now; `Retry-After` says when to try again.' },
}

/** Statuses that a route may refuse with, in the order of their numbers. */
export function refusalsOf(entry: Route): number[] {
  const parameters = /\{/.test(entry.path)
  const changes = entry.method !== 'GET' && entry.method !== 'POST'
  // Whoever comes with a cookie, or wants one, must come from a page of this site.
  const guarded = entry.method !== 'GET' && !['user', 'probe', 'public', 'otlp', 'rum'].includes(entry.surface)
  const may: Record<number, boolean> = {
    400: entry.body !== undefined,
    401: entry.surface !== 'public',
    403: entry.role !== undefined || entry.surface === 'probe' || entry.surface === 'rum' || guarded,
    404: parameters || entry.surface === 'probe',
    409: entry.method !== 'GET' && entry.surface !== 'otlp' && entry.surface !== 'rum',
    412: changes && entry.surface === 'user',
    413: entry.body !== undefined,
    415: entry.body !== undefined,
    422: entry.surface !== 'otlp' && (entry.body !== undefined || entry.query !== undefined || entry.method === 'POST'),
    429: true,
    500: true,
    503: true,
  }
  return Object.keys(may)
    .map(Number)
    .filter(status => may[status])
}

export function refusalName(status: number, entry?: Route): string {
  if (entry?.surface === 'otlp') return `OtlpRefused${status}`
  return entry?.surface === 'rum' && status in rumMeanings ? `RumRefused${status}` : `Refused${status}`
}

const otlpStatuses = [400, 401, 413, 415, 429, 500, 503]

/** Refusals on the OTLP surface; in protobuf they are a `google.rpc.Status`. */
export function otlpRefusals(schema: unknown): Json {
  const content = { 'application/json': { schema }, 'application/x-protobuf': { schema: { type: 'string' } } }
  return Object.fromEntries(
    otlpStatuses.map(status => {
      const description = status === 413 ? 'The body is too large, as sent or decompressed.' : otlpMeanings(status)
      return [`OtlpRefused${status}`, { description, headers: headersOf(status), content }]
    }),
  )
}

function otlpMeanings(status: number): string {
  if (status === 400) return 'The body cannot be read; sending it again will not help.'
  if (status === 415) return 'Another media type or content encoding than those that are taken.'
  if (status === 429) return 'A monthly quota is used up.'
  return meanings[status]?.description ?? ''
}

/** Where the RUM surface refuses for other reasons than the rest. */
const rumMeanings: Record<number, string> = {
  400: 'The body is missing, is not JSON, or holds no event.',
  403: 'The origin is not one that the app allows.',
  413: 'The body, or an event of it, is too large.',
  415: 'Another media type or content encoding than those that are taken.',
  429: 'Too many requests, or a monthly quota is used up.',
}

export function rumRefusals(error: unknown, quota: unknown): Json {
  return Object.fromEntries(
    Object.entries(rumMeanings).map(([status, description]) => {
      const schema = status === '429' ? { anyOf: [error, quota] } : error
      const headers = headersOf(Number(status))
      return [`RumRefused${status}`, { description, headers, content: { 'application/json': { schema } } }]
    }),
  )
}

/** `components.responses`: each refusal once, with an example of its body. */
export function refusalResponses(schema: unknown): Json {
  return Object.fromEntries(
    Object.entries(meanings).map(([status, { code, description }]) => [
      refusalName(Number(status)),
      {
        description,
        headers: headersOf(Number(status)),
        content: { 'application/json': { schema, example: exampleBody(code) } },
      },
    ]),
  )
}

function headersOf(status: number): Json {
  if (status !== 429 && status !== 503) return {}
  return { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } }
}

function exampleBody(code: ErrorCode) {
  const errors: FieldErrors = code === 'validation_failed' ? { name: 'is required' } : {}
  const message = code === 'validation_failed' ? 'Validation failed' : sentences[statusOfCode[code]]
  const retryAfter = statusOfCode[code] === 429 ? { retryAfter: 60 } : {}
  return errorBody(new ApiError(code, message ?? 'Refused', { errors, ...retryAfter }))
}

const sentences: Record<number, string> = {
  400: 'Invalid JSON input',
  401: 'Unauthorized',
  403: 'Your role is viewer; this needs member or above',
  404: 'Not found',
  429: 'Rate limit exceeded: 60 per minute',
}
