import type { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { type CertificateFacts, factsOf } from './certificate-facts.ts'
import { Failure } from './failure.ts'
import type { Secured } from './tls.ts'
import { isKnownAuthority } from './trust.ts'

const day = 86_400_000

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
  const facts = factsOf(own)
  return {
    protocol: tls.getProtocol(),
    cipher: tls.getCipher().name,
    subject: distinguished(facts.subject),
    issuer: distinguished(facts.issuer),
    alternative_names: facts.alternativeNames,
    valid_from: new Date(facts.validFrom).toISOString(),
    valid_to: new Date(facts.validTo).toISOString(),
    days_left: daysLeft(own),
    fingerprint256: facts.fingerprint,
    key_type: facts.keyType,
    key_bits: facts.keyBits,
    signature: facts.signature,
    chain_length: chain.length,
    chain_valid_to: new Date(Math.min(...chain.map(it => factsOf(it).validTo))).toISOString(),
  }
}

/** Whole days until the certificate expires; negative once it has. */
export const daysLeft = (certificate: X509Certificate) => Math.floor((factsOf(certificate).validTo - Date.now()) / day)

/** Why the dates of a certificate are wrong by the probe's clock: tls_expired, tls_not_yet_valid, or null. */
export function dateFailure(certificate: X509Certificate, where: string): Failure | null {
  const { validFrom, validTo } = factsOf(certificate)
  if (validTo < Date.now()) {
    return new Failure('tls_expired', `The certificate of ${where} expired on ${dateOf(validTo)}.`)
  }
  if (validFrom > Date.now()) {
    return new Failure('tls_not_yet_valid', `The certificate of ${where} is valid only from ${dateOf(validFrom)}.`)
  }
  return null
}

/** tls_expires_soon when the certificate, or one that clients need above it, has fewer than `least` days left. */
export function expiryFailure(chain: X509Certificate[], where: string, least: number): Failure | null {
  const last = needed(chain).sort((a, b) => factsOf(a).validTo - factsOf(b).validTo)[0]
  if (!last || daysLeft(last) >= least) return null
  const which =
    last === chain[0]
      ? `The certificate of ${where}`
      : `"${commonName(factsOf(last).subject)}", on which the certificate of ${where} depends,`
  return new Failure('tls_expires_soon', `${which} expires in ${daysLeft(last)} days; ${least} are demanded.`)
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
  for (const certificate of chain.every(isSound(minBits)) ? [] : needed(chain)) {
    const { subject, keyType, keyBits, signature } = factsOf(certificate)
    const which = certificate === chain[0] ? `The certificate of ${where}` : `"${commonName(subject)}" above ${where}`
    const least = leastBits(keyType, minBits)
    if (keyBits !== null && keyBits < least) {
      return new Failure('tls_weak', `${which} has a key of ${keyBits} bits; it needs ${least}.`)
    }
    if (isBroken(factsOf(certificate))) {
      return new Failure('tls_weak', `${which} is signed with ${signature}, which is broken.`)
    }
  }
  return null
}

const leastBits = (keyType: string, minBits: number) => (keyType === 'rsa' || keyType === 'rsa-pss' ? minBits : 224)

// A root is believed for being known, not for its signature.
const isBroken = (facts: CertificateFacts) => !facts.signsItself && /md[245]|sha-?1\b|sha1With/i.test(facts.signature)

const isSound = (minBits: number) => (certificate: X509Certificate) => {
  const facts = factsOf(certificate)
  return (facts.keyBits ?? 16_384) >= leastBits(facts.keyType, minBits) && !isBroken(facts)
}

/**
 * The certificates that a client depends on: the server's own and those above it, up to an authority that is known here.
 * Servers send more: roots, and an old authority's word for one that has long been known by itself.
 */
function needed(chain: X509Certificate[]): X509Certificate[] {
  const end = chain.findIndex((it, position) => position > 0 && (isSelfSigned(it) || isKnownAuthority(it)))
  return end < 0 ? [...chain] : chain.slice(0, end)
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
    const kind = factsOf(stale).validTo < Date.now() ? 'tls_expired' : 'tls_not_yet_valid'
    const name = commonName(factsOf(stale).subject)
    return new Failure(kind, `The certificate of ${host} depends on "${name}", which is not valid now.`)
  }
  // OpenSSL says "unspecified" for keys and signatures below its security level.
  if (String(tls.authorizationError) === 'UNSPECIFIED') {
    return weakness(chain, host, 2048) ?? new Failure('tls_weak', `The certificate of ${host} is too weak.`)
  }
  const issuer = commonName(factsOf(top).issuer)
  if (!isSelfSigned(top) && hasIntermediateIssuer(top)) {
    return new Failure(
      'tls_incomplete_chain',
      `${host} does not send the intermediate certificate "${issuer}"; add it to what the server sends.`,
    )
  }
  return new Failure('tls_untrusted', `The certificate of ${host} comes from "${issuer}", which is not trusted here.`)
}

function nameFailure(own: X509Certificate, host: string): Failure | null {
  const fits = isIP(host) === 0 ? own.checkHost(host, { subject: 'never' }) : own.checkIP(host)
  if (fits) return null
  const { alternativeNames, subject } = factsOf(own)
  // RFC 9525: a name that stands in the subject alone counts for nothing, and today's clients take it so.
  const names = alternativeNames.join(', ').slice(0, 200) || `"${commonName(subject)}", and in its subject alone`
  return new Failure('tls_wrong_host', `The certificate is not for ${host} but for ${names}.`)
}

/**
 * Whether an unknown issuer is an intermediate that the server forgot, rather than an authority nobody here knows. The
 * two look alike; but public authorities write where their intermediate can be fetched, and others name theirs so.
 */
function hasIntermediateIssuer(certificate: X509Certificate): boolean {
  const { namesIssuerAddress, issuer } = factsOf(certificate)
  return namesIssuerAddress || /\b(intermediate|issuing|sub(ordinate)?[ -]?ca)\b/i.test(issuer)
}

const isSelfSigned = (certificate: X509Certificate) => factsOf(certificate).signsItself

const distinguished = (name: string) => name.split('\n').join(', ')

const commonName = (name: string) => /^CN=(.*)$/m.exec(name)?.[1] ?? distinguished(name)

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)
