import { Failure } from './failure.ts'
import { framingOf, type Head, mayBegin, readChunkSize, readHeaderLine, readStatusLine } from './http-head.ts'

/** Bytes of a head, those of informational answers before it included, and what chunks may waste on their framing. */
const maxLineBytes = 64 * 1024

export interface Listener {
  /** The head of the final answer. False: nobody wants its body, the answer ends here. */
  onHead(head: Head): boolean
  /** A piece of the body, without its framing; the bytes are good only during the call. */
  onBody(bytes: Buffer): void
}

type Part = 'status' | 'headers' | 'length' | 'close' | 'size' | 'chunk' | 'chunk end' | 'trailers' | 'complete'

/**
 * Reads one answer of HTTP/1.0 or 1.1 as its bytes come, however they are cut. Strict: what proxies and browsers might
 * read in two ways is not read at all. No socket and no clock.
 */
export class AnswerReader {
  readonly #where: string
  readonly #listener: Listener
  #part: Part = 'status'
  #at = 0
  /** What has come of the line that is not complete. */
  #line = ''
  #lineBytes = 0
  #head = { status: 0, version: '' }
  #headers = new Map<string, string>()
  /** Bytes still to come of a body or a chunk. */
  #rest = 0
  #isWanted = false

  /** @param where `address:port`, for messages */
  constructor(where: string, listener: Listener) {
    this.#where = where
    this.#listener = listener
  }

  get isComplete(): boolean {
    return this.#part === 'complete'
  }

  /** Whether the answer has begun as one of HTTP. */
  get isHttp(): boolean {
    return this.#head.status !== 0
  }

  /** @throws {Failure} http_invalid, http_too_large, and what the listener throws */
  feed(bytes: Buffer): void {
    this.#at = 0
    while (this.#at < bytes.length && this.#part !== 'complete') this.#step(bytes)
    if (this.#isWanted && this.#at < bytes.length) this.#refuseMore(bytes)
  }

  /**
   * The connection has ended.
   * @throws {Failure} http_truncated when the answer had not, connect_reset when it had not begun
   */
  end(): void {
    if (this.#part === 'complete') return
    if (this.#part === 'close') this.#part = 'complete'
    else if (this.isHttp || this.#line !== '') throw this.truncated()
    else throw new Failure('connect_reset', `${this.#where} closed the connection without an answer.`)
  }

  /** What it means that the answer does not go on. */
  truncated(): Failure {
    const isHead = this.#part === 'status' || this.#part === 'headers'
    const message = isHead
      ? `${this.#where} closed the connection in the middle of its headers.`
      : 'The answer ended before its body was complete.'
    return new Failure('http_truncated', message)
  }

  #step(bytes: Buffer): void {
    switch (this.#part) {
      case 'length':
      case 'chunk':
        this.#take(bytes, Math.min(bytes.length, this.#at + this.#rest))
        if (this.#rest === 0) this.#part = this.#part === 'chunk' ? 'chunk end' : 'complete'
        return
      case 'close':
        this.#take(bytes, bytes.length)
        return
      default: {
        const line = this.#nextLine(bytes)
        if (line !== null) this.#read(line)
      }
    }
  }

  /** Its length was wrong, if more follows an answer; that is seen when it comes along. Old servers add empty lines. */
  #refuseMore(bytes: Buffer): void {
    if (/[^\r\n]/.test(bytes.toString('latin1', this.#at))) throw this.#invalid('more than the length it announced')
  }

  #take(bytes: Buffer, end: number): void {
    const piece = bytes.subarray(this.#at, end)
    this.#at = end
    if (this.#part !== 'close') this.#rest -= piece.length
    this.#listener.onBody(piece)
  }

  /** The next line without its end; null as long as it is not complete. */
  #nextLine(bytes: Buffer): string | null {
    const feed = bytes.indexOf(10, this.#at)
    const end = feed === -1 ? bytes.length : feed
    this.#lineBytes += end - this.#at + 1
    if (this.#lineBytes > maxLineBytes) throw this.#overflow()
    const line = this.#line + bytes.toString('latin1', this.#at, end)
    this.#at = end + 1
    if (this.#part === 'status' && !mayBegin(line)) throw this.#foreign(line)
    if (feed === -1) {
      this.#line = line
      return null
    }
    this.#line = ''
    if (!line.endsWith('\r')) throw this.#invalid('a line that does not end in CR LF')
    return line.slice(0, -1)
  }

  #read(line: string): void {
    switch (this.#part) {
      case 'status': {
        const head = readStatusLine(line)
        if (!head) throw this.#invalid('a status line that is none')
        this.#head = head
        this.#part = 'headers'
        return
      }
      case 'headers':
        if (line === '') this.#headEnds()
        else if (!readHeaderLine(line, this.#headers)) throw this.#invalid('a header that is none')
        return
      case 'size':
        this.#chunkBegins(line)
        return
      case 'chunk end':
        if (line !== '') throw this.#invalid('a chunk that is longer than it says')
        this.#part = 'size'
        return
      case 'trailers':
        if (line === '') this.#part = 'complete'
        else if (!readHeaderLine(line, new Map())) throw this.#invalid('a trailer that is none')
    }
  }

  #headEnds(): void {
    const head: Head = { ...this.#head, headers: this.#headers }
    if (head.status < 200 && head.status !== 101) {
      // Informational: the answer is still to come. All of them together have the room of one head.
      this.#headers = new Map()
      this.#part = 'status'
      return
    }
    const framing = framingOf(head)
    if (typeof framing === 'object') throw this.#invalid(framing.invalid)
    this.#lineBytes = 0
    const isWanted = this.#listener.onHead(head)
    // After a switch of protocols comes whatever that protocol says.
    this.#isWanted = isWanted && head.status !== 101
    if (!isWanted || framing === 0) this.#part = 'complete'
    else if (framing === 'chunked') this.#part = 'size'
    else if (framing === 'close') this.#part = 'close'
    else {
      this.#rest = framing
      this.#part = 'length'
    }
  }

  #chunkBegins(line: string): void {
    const size = readChunkSize(line)
    if (size === null) throw this.#invalid('a chunk without a valid size')
    // Small chunks are allowed their framing; endless extensions are not.
    this.#lineBytes = Math.max(0, this.#lineBytes - 16 - 2 * size)
    this.#rest = size
    this.#part = size === 0 ? 'trailers' : 'chunk'
  }

  #overflow(): Failure {
    return this.#part === 'size' || this.#part === 'chunk end'
      ? this.#invalid('chunks with more framing than content')
      : new Failure('http_too_large', `${this.#where} sent more than 64 KiB of headers.`)
  }

  #foreign(line: string): Failure {
    return new Failure('http_invalid', `${this.#where} ${foreignTongue(line)}.`)
  }

  #invalid(what: string): Failure {
    return new Failure('http_invalid', `${this.#where} does not speak valid HTTP: it sent ${what}.`)
  }
}

function foreignTongue(line: string): string {
  // A SETTINGS frame: three bytes of length, its type.
  if (line.startsWith('\0\0') && line.charCodeAt(3) === 4) return 'speaks HTTP/2 without being asked to'
  // An alert: its type, the version of the record.
  if (line.startsWith('\x15\x03')) return 'expects TLS: the address should begin with https://'
  return 'does not speak HTTP'
}
