import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import forge from 'node-forge'

const day = 86_400_000

/** A certificate with its key, as a test server takes them. */
export interface Pair {
  cert: string
  key: string
}

interface Wish {
  name: string
  /** Names and addresses the certificate is for. */
  hosts?: string[]
  organization?: string
  isAuthority?: boolean
  from?: number
  to?: number
  bits?: number
  digest?: 'sha256' | 'sha1'
  aia?: boolean
  mustStaple?: boolean
  /** A private key to use, instead of a new one. */
  key?: string
}

let serial = 1

/** Makes a certificate; without an issuer it signs itself. `from` and `to` are days from now. */
export function makeCertificate(wish: Wish, issuer?: Pair): Pair {
  const { name, hosts = [], isAuthority = false, from = -1, to = 90, bits = 2048, digest = 'sha256' } = wish
  const pair = wish.key ? keysOf(wish.key) : isAuthority ? makeKeys(bits) : leafKeys(bits)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.publicKeyFromPem(pair.publicKey)
  certificate.serialNumber = `0${(serial++).toString(16).padStart(15, '1')}`
  certificate.validity.notBefore = new Date(Date.now() + from * day)
  certificate.validity.notAfter = new Date(Date.now() + to * day)
  const subject = [
    { name: 'commonName', value: name },
    { name: 'organizationName', value: wish.organization ?? 'Watchpost Tests' },
  ]
  certificate.setSubject(subject)
  certificate.setIssuer(issuer ? forge.pki.certificateFromPem(issuer.cert).subject.attributes : subject)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: isAuthority, critical: true },
    ...(isAuthority ? [{ name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true }] : []),
    { name: 'subjectKeyIdentifier' },
    ...(hosts.length > 0 ? [{ name: 'subjectAltName', altNames: hosts.map(altName) }] : []),
    // TLS feature: status_request.
    ...(wish.mustStaple ? [{ id: '1.3.6.1.5.5.7.1.24', value: '\x30\x03\x02\x01\x05' }] : []),
    ...(wish.aia ? [authorityInformation('http://ca.test/intermediate.crt')] : []),
  ])
  const key = issuer ? issuer.key : pair.privateKey
  const md = digest === 'sha1' ? forge.md.sha1.create() : forge.md.sha256.create()
  certificate.sign(forge.pki.privateKeyFromPem(rsaPem(key)), md)
  return { cert: forge.pki.certificateToPem(certificate), key: pair.privateKey }
}

function makeKeys(bits: number) {
  return generateKeyPairSync('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

function keysOf(privateKey: string): ReturnType<typeof makeKeys> {
  return { privateKey, publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString() }
}

// RSA keys take long to find, so all leaves share one.
const known = new Map<number, ReturnType<typeof makeKeys>>()
function leafKeys(bits: number) {
  const keys = known.get(bits) ?? makeKeys(bits)
  known.set(bits, keys)
  return keys
}

/** A self-signed certificate with an elliptic key: node-forge can neither read nor sign one, but write its ASN.1. */
export function makeEllipticCertificate(host: string): Pair {
  const { asn1 } = forge
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const template = forge.pki.certificateFromPem(makeCertificate({ name: host, hosts: [host] }).cert)
  // The types leave this function out.
  const pki = forge.pki as typeof forge.pki & { getTBSCertificate(of: forge.pki.Certificate): forge.asn1.Asn1 }
  const unsigned = pki.getTBSCertificate(template)
  const algorithm = sequence(objectId('1.2.840.10045.4.3.2'))
  const parts = unsigned.value as forge.asn1.Asn1[]
  parts[2] = algorithm
  parts[6] = asn1.fromDer(publicKey.export({ type: 'spki', format: 'der' }).toString('binary'))
  const signature = sign('sha256', Buffer.from(asn1.toDer(unsigned).getBytes(), 'binary'), privateKey)
  // A bit string starts with how many bits of its last byte are unused.
  const bits = `\0${signature.toString('binary')}`
  const signed = sequence(unsigned, algorithm, asn1.create(asn1.Class.UNIVERSAL, asn1.Type.BITSTRING, false, bits))
  const body = Buffer.from(asn1.toDer(signed).getBytes(), 'binary').toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** What a server sends: its own certificate, then the ones above it. */
export const chain = (...pairs: Pair[]): Pair => ({
  cert: pairs.map(pair => pair.cert).join(''),
  key: pairs[0]?.key ?? '',
})

const altName = (host: string) => (/^[\d.]+$|:/.test(host) ? { type: 7, ip: host } : { type: 2, value: host })

const rsaPem = (pkcs8: string) => createPrivateKey(pkcs8).export({ type: 'pkcs1', format: 'pem' }).toString()

// Where the issuer's certificate can be fetched, as public authorities write it: AuthorityInfoAccess, caIssuers.
function authorityInformation(url: string): object {
  const { asn1 } = forge
  const place = asn1.create(asn1.Class.CONTEXT_SPECIFIC, 6 as forge.asn1.Type, false, url)
  return { id: '1.3.6.1.5.5.7.1.1', critical: false, value: sequence(sequence(objectId('1.3.6.1.5.5.7.48.2'), place)) }
}

function sequence(...value: forge.asn1.Asn1[]): forge.asn1.Asn1 {
  return forge.asn1.create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.SEQUENCE, true, value)
}

function objectId(oid: string): forge.asn1.Asn1 {
  const { asn1 } = forge
  return asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(oid).getBytes())
}
