import type { Socket } from 'node:net'
import Type, { type Static } from 'typebox'
import { summarize, trustFailure } from './certificate.ts'
import type { CheckType } from './check-type.ts'
import { connect } from './connect.ts'
import { excerpt } from './excerpt.ts'
import { Failure } from './failure.ts'
import { beforeDeadline, type Look, look } from './look.ts'
import { at, resolve } from './resolve.ts'
import { codeOf, socketFailure } from './socket-failure.ts'
import { parseHostPort } from './target.ts'
import { demands, handshakeFailure, secure } from './tls.ts'

const maxAnswerBytes = 64 * 1024

const Options = Type.Object({
  send: Type.Optional(Type.String({ maxLength: 65_536, description: 'Sent once connected.', examples: ['PING\r\n'] })),
  expect: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Text that the answer must contain.',
      examples: ['PONG'],
    }),
  ),
  tls: Type.Optional(Type.Boolean({ default: false, description: 'Speak TLS from the first byte.' })),
})
type Options = Static<typeof Options>

/** Connects to `host:port`; with options also starts TLS, sends a text and waits for another. */
export const tcp: CheckType = {
  options: Options,
  parseTarget: target => void parseHostPort(target),
  run: (check, signal, policy) =>
    look(check, signal, policy, async seen => {
      const { host, port } = parseHostPort(check.target)
      const options = check.options as Options
      const ip = await resolve(seen, host)
      const where = at(ip, port)
      const isSilent = !options.tls && options.send === undefined && options.expect === undefined
      let socket = await connect(seen, ip, port, isSilent)
      try {
        if (options.tls) {
          const secured = await secure(seen, socket, {
            servername: host,
            where,
            ...demands(check.ssl_verify),
            silent: options.send === undefined,
          })
          socket = secured.tls
          seen.details.tls = summarize(secured)
          const distrust = check.ssl_verify ? trustFailure(secured, host) : null
          if (distrust) throw distrust
        }
        if (options.send !== undefined) socket.write(options.send)
        if (options.expect !== undefined) await awaitText(seen, socket, options, where)
        seen.watch.answered()
      } finally {
        socket.destroy()
      }
    }),
}

/** Reads until the text has come. @throws {Failure} tcp_expect when the peer ends, floods or says nothing like it */
async function awaitText(seen: Look, socket: Socket, options: Options, where: string): Promise<void> {
  const wanted = Buffer.from(options.expect ?? '')
  let received = Buffer.alloc(0)
  const missing = (why: string) => {
    if (received.length > 0) seen.details.excerpt = excerpt(received.toString())
    return new Failure('tcp_expect', `${where} ${why} the expected text.`)
  }
  try {
    await beforeDeadline(
      seen.signal,
      new Promise<void>((resolve, reject) => {
        socket.on('data', chunk => {
          if (received.length === 0) seen.watch.lap('first_byte_ms')
          received = Buffer.concat([received, chunk])
          if (received.includes(wanted)) resolve()
          else if (received.length > maxAnswerBytes) reject(missing(`sent ${received.length} bytes without`))
        })
        socket.once('error', reject)
        socket.once('close', () => reject(missing('closed the connection without')))
        socket.once('end', () => reject(missing('closed the connection without')))
      }),
      () => missing(`did not answer within ${seen.timeout} s with`),
    )
  } catch (error) {
    // With TLS 1.3 a server refuses a client without a certificate only now.
    throw codeOf(error).startsWith('ERR_SSL_') ? handshakeFailure(error, where, 'TLSv1.2') : socketFailure(error, where)
  }
  seen.watch.lap('transfer_ms')
}
