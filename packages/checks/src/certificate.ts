import type { KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import forge from 'node-forge'
import { Failure } from './failure.ts'
import type { Secured } from './tls.ts'

const day = 86_400_000
const edwardsBits: Record<string, number> = { ed25519: 256, ed448: 456 }

/** What people want to know of a certificate; times in ISO 8601. */
export interface CertificateSummary {
  protocol: string | null
  cipher: string
  subject: string
  issuer: string
  alternative_names: string[]
  valid_from: string
  valid_to: string
  days_left: number
  fingerprint256: string
  key_type: string
  key_bits: number | null
  signature: string
  chain_length: number
  /** The first expiry in the chain that the server sent: its own certificate or one above it. */
  chain_valid_to: string
}

/** Describes the certificate of a TLS connection; null when the server sent none. */
export function summarize({ tls, chain }: Secured): CertificateSummary | null {
  const [own] = chain
  if (!own) return null
  const { type, bits } = keyOf(own)
  return {
    protocol: tls.getProtocol(),
    cipher: tls.getCipher().name,
    subject: distinguished(own.subject),
    issuer: distinguished(own.issuer),
    alternative_names: (own.subjectAltName ?? '').split(', ').filter(it => it !== ''),
    valid_from: new Date(own.validFrom).toISOString(),
    valid_to: new Date(own.validTo).toISOString(),
    days_left: daysLeft(own),
    fingerprint256: own.fingerprint256,
    key_type: type,
    key_bits: bits,
    signature: signatureOf(own),
    chain_length: chain.length,
    chain_valid_to: new Date(Math.min(...chain.map(it => Date.parse(it.validTo)))).toISOString(),
  }
}

/** Whole days until the certificate expires; negative once it has. */
export const daysLeft = (certificate: X509Certificate) =>
  Math.floor((Date.parse(certificate.validTo) - Date.now()) / day)

/** Why the dates of a certificate are wrong by the probe's clock: tls_expired, tls_not_yet_valid, or null. */
export function dateFailure(certificate: X509Certificate, where: string): Failure | null {
  if (Date.parse(certificate.validTo) < Date.now()) {
    return new Failure('tls_expired', `The certificate of ${where} expired on ${dateOf(certificate.validTo)}.`)
  }
  if (Date.parse(certificate.validFrom) > Date.now()) {
    const from = dateOf(certificate.validFrom)
    return new Failure('tls_not_yet_valid', `The certificate of ${where} is valid only from ${from}.`)
  }
  return null
}

/**
 * Why a client would not believe that this connection leads to `host`: its dates, who signed it, whom it is for.
 * @returns tls_expired, tls_not_yet_valid, tls_self_signed, tls_incomplete_chain, tls_untrusted, tls_weak,
 * tls_wrong_host; or null when all is well
 */
export function trustFailure(secured: Secured, host: string, allowSelfSigned = false): Failure | null {
  const [own] = secured.chain
  if (!own) return new Failure('tls_handshake', `${host} sent no certificate.`)
  return dateFailure(own, host) ?? authorityFailure(secured, host, allowSelfSigned) ?? nameFailure(own, host)
}

/** tls_weak when a key or a signature is one that today's clients refuse; `minBits` is for RSA, EC keys need 224. */
export function weakness(chain: X509Certificate[], where: string, minBits: number): Failure | null {
  for (const [position, certificate] of chain.entries()) {
    const which = position === 0 ? `The certificate of ${where}` : `"${commonName(certificate.subject)}" above ${where}`
    const { type, bits } = keyOf(certificate)
    const least = type === 'rsa' || type === 'rsa-pss' ? minBits : 224
    if (bits !== null && bits < least) {
      return new Failure('tls_weak', `${which} has a key of ${bits} bits; it needs ${least}.`)
    }
    // A root is believed for being known, not for its signature.
    if (!isSelfSigned(certificate) && /md[245]|sha-?1\b|sha1With/i.test(signatureOf(certificate))) {
      return new Failure('tls_weak', `${which} is signed with ${signatureOf(certificate)}, which is broken.`)
    }
  }
  return null
}

function authorityFailure({ tls, chain }: Secured, host: string, allowSelfSigned: boolean): Failure | null {
  const [own] = chain
  const top = chain.at(-1)
  if (tls.authorized || !own || !top) return null
  if (isSelfSigned(own)) {
    return allowSelfSigned ? null : new Failure('tls_self_signed', `The certificate of ${host} is self-signed.`)
  }
  const stale = chain.find(it => dateFailure(it, host))
  if (stale && /EXPIRED|NOT_YET_VALID/.test(String(tls.authorizationError))) {
    const kind = Date.parse(stale.validTo) < Date.now() ? 'tls_expired' : 'tls_not_yet_valid'
    const name = commonName(stale.subject)
    return new Failure(kind, `The certificate of ${host} depends on "${name}", which is not valid now.`)
  }
  // OpenSSL says "unspecified" for keys and signatures below its security level.
  if (String(tls.authorizationError) === 'UNSPECIFIED') {
    return weakness(chain, host, 2048) ?? new Failure('tls_weak', `The certificate of ${host} is too weak.`)
  }
  const issuer = commonName(top.issuer)
  if (!isSelfSigned(top) && hasIntermediateIssuer(top)) {
    return new Failure(
      'tls_incomplete_chain',
      `${host} does not send the intermediate certificate "${issuer}"; add it to what the server sends.`,
    )
  }
  return new Failure('tls_untrusted', `The certificate of ${host} comes from "${issuer}", which is not trusted here.`)
}

function nameFailure(own: X509Certificate, host: string): Failure | null {
  const fits = isIP(host) === 0 ? own.checkHost(host) : own.checkIP(host)
  if (fits) return null
  const names = own.subjectAltName ?? commonName(own.subject)
  return new Failure('tls_wrong_host', `The certificate is not for ${host} but for ${names.slice(0, 200)}.`)
}

/**
 * Whether an unknown issuer is an intermediate that the server forgot, rather than an authority nobody here knows. The
 * two look alike; but public authorities write where their intermediate can be fetched, and others name theirs so.
 */
function hasIntermediateIssuer(certificate: X509Certificate): boolean {
  return (
    /CA Issuers/.test(certificate.infoAccess ?? '') ||
    /\b(intermediate|issuing|sub(ordinate)?[ -]?ca)\b/i.test(certificate.issuer)
  )
}

const isSelfSigned = (certificate: X509Certificate) => certificate.subject === certificate.issuer

function keyOf(certificate: X509Certificate): { type: string; bits: number | null } {
  let key: KeyObject
  try {
    key = certificate.publicKey
  } catch {
    return { type: 'unknown', bits: null }
  }
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  const curve = edwardsBits[key.asymmetricKeyType ?? ''] ?? Number(/\d{3}/.exec(namedCurve ?? '')?.[0])
  return { type: key.asymmetricKeyType ?? 'unknown', bits: modulusLength ?? (curve || null) }
}

// Node 22 does not tell the algorithm, and node-forge cannot read elliptic certificates: but it reads their ASN.1.
function signatureOf(certificate: X509Certificate): string {
  if (certificate.signatureAlgorithm) return certificate.signatureAlgorithm
  const parts = forge.asn1.fromDer(forge.util.createBuffer(certificate.raw.toString('binary'))).value
  const algorithm = (parts[1] as forge.asn1.Asn1).value[0] as forge.asn1.Asn1
  const oid = forge.asn1.derToOid(forge.util.createBuffer(algorithm.value as string))
  return forge.pki.oids[oid] ?? oid
}

const distinguished = (name: string) => name.split('\n').join(', ')

const commonName = (name: string) => /^CN=(.*)$/m.exec(name)?.[1] ?? distinguished(name)

const dateOf = (date: string) => new Date(date).toISOString().slice(0, 10)
