import { connect as open, type Socket } from 'node:net'
import { connect as openTls, type TLSSocket } from 'node:tls'
import { excerpt } from './excerpt.ts'
import { Failure } from './failure.ts'
import { Body } from './http-body.ts'
import type { Head } from './http-head.ts'
import { AnswerReader } from './http-reader.ts'
import type { Look } from './look.ts'
import { socketFailure } from './socket-failure.ts'
import { handshakeFailure } from './tls.ts'
import { secureContext, type TlsVersion } from './trust.ts'

export interface Question {
  ip: string
  port: number
  /** `address:port`, for messages. */
  where: string
  /** The whole request. */
  request: string | Buffer
  tls: Encryption | null
  /** How many bytes of the answer's body are kept; null: the answer's head is enough. */
  keep: (head: Head) => number | null
  /** What must not be shown of the answer. */
  secrets: () => string[]
}

export interface Encryption {
  /** Name for SNI; empty: none is sent. */
  servername: string
  minVersion: TlsVersion
  weak: boolean
  /** Judges the other side before anything is said to it. */
  judge: (tls: TLSSocket) => Failure | null
}

export interface Reply {
  head: Head
  body: Body | null
}

// Read into by every connection in turn: what is wanted of it is copied in the same turn.
const buffer = Buffer.allocUnsafeSlow(64 * 1024)
const protocols = Buffer.from('\x08http/1.1', 'latin1')

/**
 * Opens a connection, asks one question over it and reads the answer, until the deadline. The connection is gone when
 * this settles.
 * @throws {Failure} of connecting, of TLS, first_byte_timeout, timeout, connect_reset, http_invalid, http_too_large,
 * http_truncated; `look.details.excerpt` then shows what had come
 */
export const exchange = (look: Look, question: Question): Promise<Reply> =>
  new Promise((resolve, reject) => new Exchange(look, question, resolve, reject))

/** Reading what comes is cheaper than waiting for it, promise by promise: so one object sees a connection through. */
class Exchange {
  readonly #look: Look
  readonly #question: Question
  readonly #resolve: (reply: Reply) => void
  readonly #reject: (failure: unknown) => void
  readonly #reader: AnswerReader
  readonly #socket: Socket
  #phase: 'connect' | 'tls' | 'answer' = 'connect'
  #hasAnswered = false
  #isSettled = false
  #head: Head | null = null
  #body: Body | null = null

  constructor(look: Look, question: Question, resolve: (reply: Reply) => void, reject: (failure: unknown) => void) {
    this.#look = look
    this.#question = question
    this.#resolve = resolve
    this.#reject = reject
    this.#reader = new AnswerReader(question.where, this)
    this.#socket = this.#open()
    this.#socket.on('connect', this.#connected)
    this.#socket.on('error', this.#broken)
    this.#socket.on('end', this.#ended)
    this.#socket.on('close', this.#ended)
    if (look.signal.aborted) this.#late()
    else look.signal.addEventListener('abort', this.#late)
  }

  onHead(head: Head): boolean {
    this.#head = head
    const keep = this.#question.keep(head)
    this.#look.watch.answered()
    if (keep !== null) this.#body = new Body(head, keep)
    return keep !== null
  }

  onBody(bytes: Buffer): void {
    this.#body?.add(bytes)
  }

  #open(): Socket {
    const { ip: host, port, tls } = this.#question
    const onread = { buffer, callback: this.#read }
    const options = { host, port, noDelay: true, autoSelectFamily: false, onread }
    if (!tls) return open(options)
    const socket = openTls({
      ...options,
      servername: tls.servername,
      secureContext: secureContext(tls.minVersion, tls.weak),
      ALPNProtocols: protocols,
      rejectUnauthorized: false,
      // Node would judge the name too, for nothing: its verdict is not looked at.
      checkServerIdentity: () => undefined,
    })
    socket.on('secureConnect', this.#secured)
    return socket
  }

  readonly #connected = () => {
    this.#look.watch.lap('connect_ms')
    if (this.#question.tls) this.#phase = 'tls'
    else this.#ask()
  }

  readonly #secured = () => {
    this.#look.watch.lap('tls_ms')
    const distrust = this.#question.tls?.judge(this.#socket as TLSSocket)
    if (distrust) this.#fail(distrust)
    else this.#ask()
  }

  #ask(): void {
    this.#phase = 'answer'
    if (!this.#isSettled) this.#socket.write(this.#question.request, 'latin1')
  }

  readonly #read = (size: number): boolean => {
    if (this.#isSettled) return false
    if (!this.#hasAnswered) {
      this.#hasAnswered = true
      this.#look.watch.lap('first_byte_ms')
    }
    const bytes = buffer.subarray(0, size)
    try {
      this.#reader.feed(bytes)
      if (this.#reader.isComplete) this.#finish()
    } catch (error) {
      if (!this.#reader.isHttp) this.#show(bytes.toString('latin1'))
      this.#fail(error)
    }
    return true
  }

  readonly #ended = () => {
    if (this.#isSettled) return
    if (this.#phase !== 'answer') return this.#broken(Object.assign(new Error('ended'), { code: 'ECONNRESET' }))
    try {
      this.#reader.end()
      this.#finish()
    } catch (error) {
      this.#fail(error)
    }
  }

  readonly #broken = (error: unknown) => {
    if (this.#isSettled) return
    const { where, tls } = this.#question
    if (this.#phase === 'connect') this.#look.watch.lap('connect_ms')
    else if (this.#phase === 'tls') this.#look.watch.lap('tls_ms')
    if (this.#hasAnswered) return this.#fail(this.#reader.truncated())
    const failure =
      this.#phase === 'connect' || !tls ? socketFailure(error, where) : handshakeFailure(error, where, tls.minVersion)
    // After the handshake a closed connection is one that did not answer.
    if (this.#phase === 'answer' && ['tls_handshake', 'connect_reset'].includes(failure.kind) && isReset(error)) {
      return this.#fail(new Failure('connect_reset', `${where} closed the connection without an answer.`))
    }
    this.#fail(failure)
  }

  readonly #late = () => {
    const { where } = this.#question
    const { timeout, watch } = this.#look
    const within = `within ${timeout} s.`
    if (this.#phase === 'connect') {
      watch.lap('connect_ms')
      this.#fail(new Failure('connect_timeout', `No connection to ${where} ${within}`))
    } else if (this.#phase === 'tls') {
      watch.lap('tls_ms')
      this.#fail(new Failure('tls_handshake', `The TLS handshake with ${where} did not finish ${within}`))
    } else if (this.#hasAnswered) {
      this.#fail(new Failure('timeout', `The answer of ${where} was not complete ${within}`))
    } else this.#fail(new Failure('first_byte_timeout', `${where} sent no answer ${within}`))
  }

  #finish(): void {
    const head = this.#head
    if (head === null) return
    if (this.#body) {
      this.#look.watch.lap('transfer_ms')
      this.#look.watch.answered()
    }
    this.#settle()
    this.#resolve({ head, body: this.#body })
  }

  #fail(failure: unknown): void {
    if (this.#isSettled) return
    if (this.#head && this.#body) {
      this.#look.watch.lap('transfer_ms')
      this.#show(this.#body.text())
    }
    this.#settle()
    this.#reject(failure)
  }

  #show(text: string): void {
    if (text !== '') this.#look.details.excerpt = excerpt(text, this.#question.secrets())
  }

  #settle(): void {
    this.#isSettled = true
    this.#look.signal.removeEventListener('abort', this.#late)
    this.#socket.destroy()
  }
}

const isReset = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(ECONNRESET|EPIPE)$/.test(String(error.code))
