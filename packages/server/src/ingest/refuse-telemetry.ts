import { ApiError } from '@watchpost/contract'

/**
 * What becomes of telemetry of browsers once it is known whose it is. It cannot be kept yet, so none is acknowledged:
 * whoever sends it is told, and nothing is lost in silence.
 */
export async function refuseTelemetry(): Promise<never> {
  throw new ApiError('unavailable', 'The credential is right, but this instance does not take in telemetry yet')
}
