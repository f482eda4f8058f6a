import type { TSchema } from 'typebox'
import Type from 'typebox'

/** Every error code and the status it travels with, used in both directions (specification 7, ruling 2). */
export const statusOfCode = {
  invalid_json: 400,
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limit_exceeded: 429,
  quota_exceeded: 429,
  internal_error: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof statusOfCode

/** Field name to what is wrong with it and how to mend it. */
export type FieldErrors = Record<string, string>

/** The one error of the API: thrown by the server, sent, and thrown again by the client. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly code: ErrorCode
  readonly errors: FieldErrors
  /** Seconds after which trying again can help. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, more: { errors?: FieldErrors; retryAfter?: number } = {}) {
    super(message)
    this.code = code
    this.errors = more.errors ?? {}
    this.retryAfter = more.retryAfter
  }

  get status(): number {
    return statusOfCode[this.code]
  }
}

/** Body of every error on the general API: both documented shapes at once (specification 7, ruling 2). */
export interface ErrorBody {
  success: false
  error: true
  message: string
  code: ErrorCode
  status: number
  errors: FieldErrors
  retry_after?: number
}

export const ErrorBodySchema: TSchema = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Literal(true),
    message: Type.String(),
    code: Type.Enum(Object.keys(statusOfCode) as [string, ...string[]], { type: 'string' }),
    status: Type.Integer(),
    errors: Type.Record(Type.String(), Type.String(), { description: 'Field name to message.' }),
    retry_after: Type.Optional(Type.Integer({ description: 'Seconds; with 429 and 503.' })),
  },
  { title: 'Error' },
)

export function errorBody(error: ApiError): ErrorBody {
  return {
    success: false,
    error: true,
    message: error.message,
    code: error.code,
    status: error.status,
    errors: error.errors,
    ...(error.retryAfter === undefined ? {} : { retry_after: error.retryAfter }),
  }
}

/**
 * The error a response stands for, whoever sent it.
 * @param status HTTP status, 400 or more
 * @param body what was read; anything that is not an error body (a proxy's page, say) counts by its status
 */
export function errorFromResponse(status: number, body: unknown, retryAfter?: number): ApiError {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>
  const code = said.code !== undefined && said.code in statusOfCode ? said.code : codeOfStatus(status)
  const seconds = said.retry_after ?? retryAfter
  return new ApiError(code, said.message ?? `The server answered ${status}`, {
    errors: said.errors ?? {},
    ...(seconds === undefined ? {} : { retryAfter: seconds }),
  })
}

function codeOfStatus(status: number): ErrorCode {
  const known = (Object.keys(statusOfCode) as ErrorCode[]).find(code => statusOfCode[code] === status)
  if (known !== undefined) return known
  return status >= 500 ? 'unavailable' : 'bad_request'
}
