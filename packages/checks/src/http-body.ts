import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib'
import { Failure } from './failure.ts'
import type { Head } from './http-head.ts'
import { codeOf } from './socket-failure.ts'

const maxBytes = 10 * 1024 * 1024
const shownBytes = 8 * 1024
const maxEncodings = 3

type Decoder = (bytes: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>

const decoders: Record<string, Decoder> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  // "deflate" means zlib, but some servers send it raw; zlib starts with a byte whose low half is 8.
  deflate: (bytes, limit) =>
    (((bytes[0] ?? 0) & 0x0f) === 8 ? promisify(inflate) : promisify(inflateRaw))(bytes, limit),
}

/** A body as it comes, and what it is when it is whole. */
export class Body {
  readonly #keep: number
  readonly #decoders: Decoder[]
  readonly #contentType: string | undefined
  #pieces: Buffer[] = []
  #kept = 0
  /** Size, decompressed once {@link decode} has been waited for. */
  bytes = 0

  /**
   * @param keep how many bytes are wanted as text; a compressed body is kept whole until it is decompressed
   * @throws {Failure} http_invalid for a compression that is not known, http_too_large for a length that is announced
   */
  constructor(head: Head, keep: number) {
    if (Number(head.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
    this.#decoders = decodersOf(head.headers.get('content-encoding'))
    this.#contentType = head.headers.get('content-type')
    this.#keep = this.#decoders.length > 0 ? maxBytes : keep
  }

  /** @throws {Failure} http_too_large */
  add(piece: Buffer): void {
    this.bytes += piece.length
    if (this.bytes > maxBytes) throw tooLarge()
    const wanted = this.#keep - this.#kept
    if (wanted <= 0) return
    // A copy: the bytes belong to whoever reads the socket.
    this.#pieces.push(Buffer.from(wanted < piece.length ? piece.subarray(0, wanted) : piece))
    this.#kept += piece.length
  }

  get isCompressed(): boolean {
    return this.#decoders.length > 0 && this.bytes > 0
  }

  /**
   * Decompresses the body; a few kilobytes of gzip can hold gigabytes, so no more than the limit is made of them.
   * @throws {Failure} http_too_large, http_truncated, http_invalid
   */
  async decode(): Promise<void> {
    let bytes = Buffer.concat(this.#pieces)
    try {
      for (const decoder of this.#decoders)
        bytes = (await decoder(bytes, { maxOutputLength: maxBytes })) as typeof bytes
    } catch (error) {
      throw decodingFailure(error)
    }
    this.#decoders.length = 0
    this.#pieces = [bytes]
    this.bytes = bytes.length
  }

  /** The beginning of what was kept, as text; empty while it is compressed. */
  text(most = shownBytes): string {
    if (this.isCompressed) return ''
    return textOf(Buffer.concat(this.#pieces).subarray(0, most), this.#contentType)
  }
}

function decodersOf(header: string | undefined): Decoder[] {
  if (header === undefined) return []
  const encodings = header
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(word => word !== '' && word !== 'identity')
  if (encodings.length > maxEncodings) throw new Failure('http_invalid', 'The body is compressed too many times.')
  return encodings.reverse().map(encoding => {
    const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
    if (decoder) return decoder
    throw new Failure('http_invalid', `The body has the encoding "${encoding.slice(0, 40)}", not asked for.`)
  })
}

function decodingFailure(error: unknown): Failure {
  const code = codeOf(error)
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(error)
  if (
    code === 'Z_BUF_ERROR' ||
    code === 'ERR_BROTLI_DECODER_ERROR_UNEXPECTED_END' ||
    code === 'ZSTD_error_srcSize_wrong'
  ) {
    return new Failure('http_truncated', 'The answer ended before its body was complete.', { cause: error })
  }
  return new Failure('http_invalid', `The body cannot be decompressed (${code}).`, { cause: error })
}

const tooLarge = (cause?: unknown) => new Failure('http_too_large', 'The body is larger than 10 MiB.', { cause })

function textOf(bytes: Buffer, contentType: string | undefined): string {
  const charset = /charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('utf8')
  }
}
