import type { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { connect as startTls, type TLSSocket } from 'node:tls'
import { secured } from './connect.ts'
import { Failure } from './failure.ts'
import { beforeDeadline, type Look } from './look.ts'
import { codeOf, socketFailure } from './socket-failure.ts'
import { secureContext, type TlsVersion } from './trust.ts'

export interface Secured {
  tls: TLSSocket
  /** Certificates as the server sent them, its own first; empty when it sent none. */
  chain: X509Certificate[]
  /** The OCSP answer that was asked for, if one came. */
  staple?: Buffer
}

export interface TlsOptions {
  /** Name for SNI; an IP address sends none. */
  servername: string
  /** `address:port`, for messages. */
  where: string
  minVersion: TlsVersion
  /** Let weak keys and ciphers through, to be judged afterwards or not at all. */
  weak: boolean
  alpn?: string[]
  /** Nothing will be sent over this connection. */
  silent?: boolean
  /** Ask for a stapled OCSP answer. */
  wantsStaple?: boolean
}

/** How much a check asks of TLS: of a server that is not verified, such as an old device's, nothing. */
export const demands = (isVerified: boolean, minVersion?: TlsVersion) => ({
  minVersion: minVersion ?? (isVerified ? 'TLSv1.2' : 'TLSv1'),
  weak: !isVerified,
})

// What OpenSSL says when the two sides share no version of TLS, whichever of them noticed.
const versionErrors = new Set([
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_UNKNOWN_PROTOCOL',
  'ERR_SSL_VERSION_TOO_LOW',
  'ERR_SSL_WRONG_SSL_VERSION',
  'ERR_SSL_UNSUPPORTED_SSL_VERSION',
  'ERR_SSL_SSLV3_ALERT_PROTOCOL_VERSION',
])

/**
 * Starts TLS on a connection. The certificate is not judged here: the handshake goes through with any, so that a check
 * can tell what is wrong with it (`trustFailure`).
 * @throws {Failure} tls_version, tls_handshake
 */
export async function secure(look: Look, socket: Socket, options: TlsOptions): Promise<Secured> {
  const { servername, where, minVersion, weak, alpn, silent = false, wantsStaple = false } = options
  const tls = startTls({
    socket,
    servername: isIP(servername) === 0 ? servername : '',
    secureContext: secureContext(minVersion, weak, silent),
    rejectUnauthorized: false,
    // Node would judge the name too, for nothing: its verdict is not looked at.
    checkServerIdentity: () => undefined,
    ALPNProtocols: alpn,
    requestOCSP: wantsStaple,
  })
  let staple: Buffer | undefined
  if (wantsStaple) tls.once('OCSPResponse', answer => (staple = answer ?? undefined))
  try {
    await beforeDeadline(
      look.signal,
      secured(tls),
      () => new Failure('tls_handshake', `The TLS handshake with ${where} did not finish within ${look.timeout} s.`),
    )
  } catch (error) {
    tls.destroy()
    socket.destroy()
    throw handshakeFailure(error, where, minVersion)
  } finally {
    look.watch.lap('tls_ms')
  }
  return { tls, chain: sentChain(tls), ...(staple && { staple }) }
}

/** The certificates of the other side. To be called once for a connection: Node takes them out of it. */
export function sentChain(tls: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = []
  let certificate = tls.getPeerX509Certificate()
  while (certificate) {
    chain.push(certificate)
    certificate = certificate.issuerCertificate
  }
  return chain
}

/** Says what an error of a TLS connection means; errors of the connection beneath keep their own kinds. */
export function handshakeFailure(error: unknown, where: string, minVersion: TlsVersion): Failure {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  if (versionErrors.has(code)) {
    const wanted = minVersion === 'TLSv1.3' ? 'TLS 1.3' : `${minVersion.replace('v', ' ')} or newer`
    return new Failure('tls_version', `${where} does not speak ${wanted}.`, { cause: error })
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return new Failure('tls_handshake', `${where} does not speak TLS.`, { cause: error })
  }
  if (/HANDSHAKE_FAILURE|CERTIFICATE_REQUIRED|BAD_CERTIFICATE/.test(code) && code.includes('ALERT')) {
    const why = code.includes('REQUIRED')
      ? 'it demands a client certificate'
      : 'no common cipher, or a client certificate that it demands'
    return new Failure('tls_handshake', `${where} refused the TLS handshake: ${why}.`, { cause: error })
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new Failure('tls_handshake', `${where} closed the connection during the TLS handshake.`, { cause: error })
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    const reason = error instanceof Error && 'reason' in error ? String(error.reason) : code
    return new Failure('tls_handshake', `The TLS handshake with ${where} failed: ${reason}.`, { cause: error })
  }
  return socketFailure(error, where)
}
