import type { IncomingMessage } from 'node:http'
import { ApiError } from '@watchpost/contract'
import { release } from '../telemetry/release.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** Seconds after which it is worth trying again. */
const retryAfter = 2

export const overloaded = () => new ApiError('unavailable', 'Too much at once; try again', { retryAfter })

export const tooLarge = (limit: number) =>
  new ApiError('payload_too_large', `The body is larger than ${limit} bytes; send smaller batches`)

/**
 * Reads a body into memory of its own, so that it can be given to another thread; refused as soon as it is too large, or all
 * that are coming in together are.
 */
export async function readBody(request: IncomingMessage, limit: number, telemetry: Telemetry): Promise<Uint8Array> {
  const said = Number(request.headers['content-length'] ?? 0)
  if (said > limit) throw tooLarge(limit)
  const place = telemetry.begin()
  if (place === undefined) throw overloaded()
  const chunks: Buffer[] = []
  let size = 0
  try {
    await new Promise<void>((resolve, reject) => {
      let isWhole = false
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > limit) reject(tooLarge(limit))
        else if (!place.grow(chunk.length)) reject(overloaded())
        else chunks.push(chunk)
      })
      request.once('end', () => {
        isWhole = true
        resolve()
      })
      const cut = () => {
        if (!isWhole) reject(new ApiError('bad_request', 'The body did not arrive'))
      }
      // Whoever hangs up is no fault of ours.
      request.once('error', cut)
      request.once('close', cut)
    })
  } catch (error) {
    // The rest is read and thrown away: whoever is still sending reads the answer afterwards.
    request.removeAllListeners('data')
    request.resume()
    throw error
  } finally {
    place.end()
  }
  const body = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.length
    release(chunk)
  }
  return body
}
