import type { KeyObject, X509Certificate } from 'node:crypto'
import forge from 'node-forge'

const maxKnown = 4096
const edwardsBits: Record<string, number> = { ed25519: 256, ed448: 456 }
// "TLS feature" (RFC 7633) with status_request: this certificate promises a stapled OCSP answer.
const mustStapleOid = Buffer.from('06082b06010505070118', 'hex')

/** What a certificate says, whenever one looks at it. Times in epoch ms. */
export interface CertificateFacts {
  subject: string
  issuer: string
  alternativeNames: string[]
  validFrom: number
  validTo: number
  fingerprint: string
  serial: string
  keyType: string
  keyBits: number | null
  signature: string
  signsItself: boolean
  /** Says where its issuer's certificate can be fetched. */
  namesIssuerAddress: boolean
  mustStaple: boolean
}

const known = new Map<string, CertificateFacts>()

/** Reads a certificate, once for each: taking one apart costs a tenth of the handshake that brought it. */
export function factsOf(certificate: X509Certificate): CertificateFacts {
  const fingerprint = certificate.fingerprint256
  const facts = known.get(fingerprint) ?? read(certificate, fingerprint)
  // The last used last, so that the first is the one to go.
  known.delete(fingerprint)
  known.set(fingerprint, facts)
  if (known.size > maxKnown) {
    const [oldest = ''] = known.keys()
    known.delete(oldest)
  }
  return facts
}

function read(certificate: X509Certificate, fingerprint: string): CertificateFacts {
  const { subject = '', issuer = '' } = certificate
  return {
    subject,
    issuer,
    alternativeNames: (certificate.subjectAltName ?? '').split(', ').filter(it => it !== ''),
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    fingerprint,
    serial: certificate.serialNumber,
    ...keyOf(certificate),
    signature: signatureOf(certificate),
    signsItself: subject === issuer,
    namesIssuerAddress: /CA Issuers/.test(certificate.infoAccess ?? ''),
    mustStaple: certificate.raw.includes(mustStapleOid),
  }
}

function keyOf(certificate: X509Certificate): { keyType: string; keyBits: number | null } {
  let key: KeyObject
  try {
    key = certificate.publicKey
  } catch {
    return { keyType: 'unknown', keyBits: null }
  }
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  const curve = edwardsBits[key.asymmetricKeyType ?? ''] ?? Number(/\d{3}/.exec(namedCurve ?? '')?.[0])
  return { keyType: key.asymmetricKeyType ?? 'unknown', keyBits: modulusLength ?? (curve || null) }
}

// Node 22 does not tell the algorithm, and node-forge cannot read elliptic certificates: but it reads their ASN.1.
function signatureOf(certificate: X509Certificate): string {
  if (certificate.signatureAlgorithm) return certificate.signatureAlgorithm
  const parts = forge.asn1.fromDer(forge.util.createBuffer(certificate.raw.toString('binary'))).value
  const algorithm = (parts[1] as forge.asn1.Asn1).value[0] as forge.asn1.Asn1
  const oid = forge.asn1.derToOid(forge.util.createBuffer(algorithm.value as string))
  return forge.pki.oids[oid] ?? oid
}
