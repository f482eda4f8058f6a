import Type, { type Static } from 'typebox'
import { dateFailure, expiryFailure, summarize, trustFailure, weakness } from './certificate.ts'
import { factsOf } from './certificate-facts.ts'
import type { CheckType } from './check-type.ts'
import { connect } from './connect.ts'
import { Failure } from './failure.ts'
import { look } from './look.ts'
import { at, resolve } from './resolve.ts'
import { readStaple, stapleFailure } from './staple.ts'
import { parseHost, parseHostPort, targetMessage } from './target.ts'
import { secure } from './tls.ts'

const Options = Type.Object({
  port: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_535, default: 443, description: 'Where the target names no port itself.' }),
  ),
  servername: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Name asked for and expected, if not that of the target.',
    }),
  ),
  min_days_left: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 3650, default: 14, description: 'Fewer days before expiry are a failure.' }),
  ),
  expected_issuer: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "Text that the issuer's name must contain, in any case.",
      examples: ["Let's Encrypt"],
    }),
  ),
  allow_self_signed: Type.Optional(
    Type.Boolean({ default: false, description: 'A certificate that signs itself is fine.' }),
  ),
  min_key_bits: Type.Optional(
    Type.Integer({
      minimum: 512,
      maximum: 16_384,
      default: 2048,
      description: 'For RSA keys; elliptic ones need 224.',
    }),
  ),
})
type Options = Static<typeof Options>

/**
 * Judges the certificate of a TLS server: dates, authority, name, days left, issuer, strength. With `ssl_verify` false
 * neither authority nor name is judged, the rest is.
 */
export const ssl: CheckType = {
  options: Options,
  judgeOptions: options => {
    const { servername } = options as Options
    return { servername: servername === undefined ? null : targetMessage(() => parseHost(servername)) }
  },
  parseTarget: target => void parseHostPort(target, 443),
  run: (check, signal, policy) =>
    look(check, signal, policy, async seen => {
      const options = check.options as Options
      const { host, port } = parseHostPort(check.target, options.port ?? 443)
      const name = options.servername ? parseHost(options.servername).host : host
      const ip = await resolve(seen, host)
      const where = at(ip, port)
      seen.details.port = port
      const socket = await connect(seen, ip, port)
      try {
        const secured = await secure(seen, socket, {
          servername: name,
          where,
          minVersion: 'TLSv1.2',
          weak: true,
          silent: true,
          wantsStaple: true,
        })
        seen.watch.answered()
        Object.assign(seen.details, summarize(secured))
        const [own] = secured.chain
        if (!own) throw new Failure('tls_handshake', `${where} sent no certificate.`)
        const { issuer, serial, mustStaple } = factsOf(own)
        const staple = secured.staple ? readStaple(secured.staple, serial) : null
        if (staple) seen.details.ocsp = staple
        const failure =
          (check.ssl_verify ? trustFailure(secured, name, options.allow_self_signed) : dateFailure(own, name)) ??
          stapleFailure(staple, check.ssl_verify && mustStaple, name) ??
          weakness(secured.chain, name, options.min_key_bits ?? 2048) ??
          issuerFailure(issuer, options.expected_issuer) ??
          expiryFailure(secured.chain, name, options.min_days_left ?? 14)
        if (failure) throw failure
      } finally {
        socket.destroy()
      }
    }),
}

function issuerFailure(issuer: string, expected: string | undefined): Failure | null {
  const name = issuer.split('\n').join(', ')
  if (expected === undefined || name.toLowerCase().includes(expected.toLowerCase())) return null
  return new Failure('tls_issuer', `The certificate was issued by ${name}, not by ${expected}.`)
}
