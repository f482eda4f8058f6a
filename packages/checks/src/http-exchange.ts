import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import { Failure } from './failure.ts'
import { type Body, readBody } from './http-body.ts'
import { beforeDeadline, type Look } from './look.ts'
import { codeOf, socketFailure } from './socket-failure.ts'
import { handshakeFailure } from './tls.ts'

const maxHeaderBytes = 64 * 1024

export interface Question {
  method: string
  path: string
  headers: OutgoingHttpHeaders
  body?: string
  /** `address:port`, for messages. */
  where: string
}

export interface Reply {
  response: IncomingMessage
  /** Reads the body; once. */
  read(): Promise<Body>
}

/**
 * Sends one request over a connection of its own and waits for the head of the answer. The caller destroys the socket.
 * @throws {Failure} first_byte_timeout, timeout, connect_reset, http_invalid, http_too_large, http_truncated
 */
export async function exchange(look: Look, socket: Socket, question: Question): Promise<Reply> {
  let hasAnswered = false
  let broken: unknown
  const late = () =>
    hasAnswered
      ? new Failure('timeout', `The answer of ${question.where} was not complete within ${look.timeout} s.`)
      : new Failure('first_byte_timeout', `${question.where} sent no answer within ${look.timeout} s.`)

  const ask = new Promise<IncomingMessage>((resolve, reject) => {
    const { method, path, headers, body } = question
    const sent = request({ createConnection: () => socket, method, path, headers, maxHeaderSize: maxHeaderBytes })
    // Before the parser sees them, so that the head is not taken for part of the wait.
    sent.once('socket', it =>
      it.prependOnceListener('data', () => {
        hasAnswered = true
        look.watch.lap('first_byte_ms')
      }),
    )
    sent.once('response', resolve)
    // What follows a 101 is no longer HTTP: the answer has no body.
    sent.once('upgrade', response => {
      response.push(null)
      resolve(response)
    })
    sent.on('error', error => {
      broken = error
      reject(error)
    })
    sent.end(body)
  })

  let response: IncomingMessage
  try {
    response = await beforeDeadline(look.signal, ask, late)
  } catch (error) {
    throw exchangeFailure(error, question.where, hasAnswered)
  }
  // An answer that is not read (a redirect) breaks off when its socket is destroyed.
  response.on('error', () => {})
  const read = async () => {
    try {
      return await beforeDeadline(look.signal, readBody(response), late)
    } catch (error) {
      // To the body a parser's error looks as if the connection had been closed.
      const isInvalid = codeOf(broken).startsWith('HPE_') && codeOf(broken) !== 'HPE_INVALID_EOF_STATE'
      throw isInvalid ? exchangeFailure(broken, question.where, true) : error
    } finally {
      look.watch.lap('transfer_ms')
    }
  }
  return { response, read }
}

function exchangeFailure(error: unknown, where: string, hasAnswered: boolean): Failure {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  if (code === 'HPE_HEADER_OVERFLOW') return new Failure('http_too_large', `${where} sent more than 64 KiB of headers.`)
  if (code === 'HPE_INVALID_EOF_STATE' || (hasAnswered && code === 'ECONNRESET')) {
    return new Failure('http_truncated', `${where} closed the connection in the middle of its headers.`)
  }
  if (code.startsWith('HPE_')) return new Failure('http_invalid', `${where} does not speak valid HTTP (${code}).`)
  if (code === 'ECONNRESET') return new Failure('connect_reset', `${where} closed the connection without an answer.`)
  if (code.startsWith('ERR_SSL_')) return handshakeFailure(error, where, 'TLSv1.2')
  return socketFailure(error, where)
}
