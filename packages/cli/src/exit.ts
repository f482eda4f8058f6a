import type { ErrorCode } from '@watchpost/contract'

/** What the exit code of `monitorctl` means; scripts compare these numbers. */
export const exitCodes = {
  fine: 0,
  /** The thing asked about is bad, or an error of no other class. */
  bad: 1,
  usage: 2,
  unauthorised: 3,
  missing: 4,
  limited: 5,
  /** The server failed, or no answer came. */
  unreachable: 6,
  interrupted: 130,
} as const

/** Exit code for each error code of the API; a new code does not compile until it has one. */
export const exitOfErrorCode: Record<ErrorCode, number> = {
  invalid_json: exitCodes.usage,
  bad_request: exitCodes.usage,
  unauthorized: exitCodes.unauthorised,
  forbidden: exitCodes.unauthorised,
  not_found: exitCodes.missing,
  method_not_allowed: exitCodes.bad,
  conflict: exitCodes.bad,
  precondition_failed: exitCodes.bad,
  payload_too_large: exitCodes.usage,
  unsupported_media_type: exitCodes.bad,
  validation_failed: exitCodes.usage,
  rate_limit_exceeded: exitCodes.limited,
  quota_exceeded: exitCodes.limited,
  internal_error: exitCodes.unreachable,
  unavailable: exitCodes.unreachable,
}
