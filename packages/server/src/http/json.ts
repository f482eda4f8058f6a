import { isUtf8 } from 'node:buffer'
import { ApiError } from '@watchpost/contract'

/** Deeper than anything we take, and shallow enough for everything that walks it. */
const deepest = 64

/**
 * A request body as an object.
 * @throws {ApiError} bad_request or invalid_json for what is none, for nesting beyond 64, and for the character U+0000,
 * which PostgreSQL cannot keep
 * @param lenient drop that character instead: one odd byte of a target must not hold up a probe's other results
 */
export function parseObject(bytes: Buffer | undefined, lenient: boolean): Record<string, unknown> {
  if (bytes === undefined || bytes.length === 0) throw new ApiError('bad_request', 'A JSON body is required')
  refuseDepth(bytes)
  if (!lenient && !isUtf8(bytes)) throw new ApiError('invalid_json', 'Invalid JSON input')
  const sent = bytes.toString('utf8')
  if (!lenient && escapedNul.test(sent)) throw new ApiError('bad_request', 'The body holds the character U+0000')
  const text = lenient && sent.includes('\\u0000') ? sent.replaceAll(new RegExp(escapedNul, 'g'), '$1') : sent
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new ApiError('invalid_json', 'Invalid JSON input')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('bad_request', 'The body must be a JSON object')
  }
  return body as Record<string, unknown>
}

/** @throws {ApiError} for what is nested deeper than anything we take */
export function refuseDepth(bytes: Buffer): void {
  if (depthOf(bytes) > deepest) throw new ApiError('bad_request', `The body is nested deeper than ${deepest}`)
}

/** U+0000 as JSON writes it, not a backslash before the letters. */
const escapedNul = /(?<!\\)((?:\\\\)*)\\u0000/

const quote = 0x22
const backslash = 0x5c

/** How deep brackets are nested, strings left out. */
function depthOf(bytes: Buffer): number {
  let depth = 0
  let most = 0
  let inString = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (inString) {
      if (byte === backslash) index++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === 0x7b || byte === 0x5b) most = Math.max(most, ++depth)
    else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return most
}
