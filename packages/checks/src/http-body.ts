import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress, createGunzip, inflate, inflateRaw } from 'node:zlib'
import { Failure } from './failure.ts'
import { codeOf } from './socket-failure.ts'

const keptBytes = 1024 * 1024
const maxBytes = 10 * 1024 * 1024
const maxEncodings = 3
const tooLarge = 'The body is larger than 10 MiB.'

type Decoder = Duplex | ((source: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>)

export interface Body {
  /** Size, decompressed. */
  bytes: number
  /** The first MiB, as text. */
  text: string
}

/**
 * Reads and decompresses a body, counting decoded bytes: a few kilobytes of gzip can hold gigabytes.
 * @throws {Failure} http_too_large, http_truncated, http_invalid
 */
export async function readBody(response: IncomingMessage): Promise<Body> {
  const kept: Buffer[] = []
  let bytes = 0
  try {
    const count = async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        if (bytes < keptBytes) kept.push(chunk.subarray(0, keptBytes - bytes))
        bytes += chunk.length
        if (bytes > maxBytes) throw new Failure('http_too_large', tooLarge)
      }
    }
    // The types of pipeline know no list that mixes streams and generators; pipeline itself does.
    await pipeline([response, ...decoders(response), count] as unknown as Duplex[])
  } catch (error) {
    throw bodyFailure(error)
  }
  return { bytes, text: textOf(Buffer.concat(kept), response.headers['content-type']) }
}

function decoders(response: IncomingMessage): Decoder[] {
  const encodings = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(word => word !== '' && word !== 'identity')
  if (encodings.length > maxEncodings) throw new Failure('http_invalid', 'The body is compressed too many times.')
  return encodings.reverse().map(encoding => {
    switch (encoding) {
      case 'gzip':
      case 'x-gzip':
        return createGunzip()
      case 'br':
        return createBrotliDecompress()
      case 'deflate':
        return inflateWhole
      default:
        throw new Failure('http_invalid', `The body has the encoding "${encoding.slice(0, 40)}", not asked for.`)
    }
  })
}

// "deflate" means zlib, but some servers send it raw; zlib starts with a byte whose low half is 8. One must see the
// first byte to know, and few servers use it at all: so it is gathered first.
async function* inflateWhole(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gathered: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    gathered.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes) throw new Failure('http_too_large', tooLarge)
  }
  const all = Buffer.concat(gathered)
  const decode = ((all[0] ?? 0) & 0x0f) === 8 ? promisify(inflate) : promisify(inflateRaw)
  yield await decode(all, { maxOutputLength: maxBytes })
}

function bodyFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  if (code === 'ERR_BUFFER_TOO_LARGE') return new Failure('http_too_large', tooLarge, { cause: error })
  if (code === 'Z_BUF_ERROR' || code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    return new Failure('http_truncated', 'The answer ended before its body was complete.', { cause: error })
  }
  if (code.startsWith('Z_') || code.startsWith('ERR_')) {
    return new Failure('http_invalid', `The body cannot be decompressed (${code}).`, { cause: error })
  }
  return new Failure('http_truncated', `The answer broke off (${code}).`, { cause: error })
}

function textOf(bytes: Buffer, contentType: string | undefined): string {
  const charset = /charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}
