import { X509Certificate } from 'node:crypto'
import { createSecureContext, getCACertificates, type SecureContext, type SecureContextOptions } from 'node:tls'

export type TlsVersion = 'TLSv1' | 'TLSv1.2' | 'TLSv1.3'

// Without the hybrid groups: a key of ML-KEM for every handshake is a fifth of what a look at a certificate costs.
const classicalGroups = 'X25519:P-256:P-384:P-521:X448'

let authorities: string[] | undefined
let authorityKeys: Set<string> | undefined
const contexts = new Map<string, SecureContext>()

/**
 * The TLS settings of a check, shared by all checks that set the same: making a context parses every authority, which
 * costs more than the handshake. Trusted are Node's own authorities, NODE_EXTRA_CA_CERTS and the system's.
 * @param weak also lets weak keys and signatures through the handshake, for those who look at them afterwards
 * @param silent nothing will be said over the connection that somebody might keep and decipher in years to come
 */
export function secureContext(minVersion: TlsVersion, weak = false, silent = false): SecureContext {
  const key = `${minVersion} ${weak} ${silent}`
  let context = contexts.get(key)
  if (!context) {
    const options: SecureContextOptions = { ca: trusted(), minVersion }
    if (silent) options.ecdhCurve = classicalGroups
    if (weak) options.ciphers = 'DEFAULT@SECLEVEL=0'
    context = createSecureContext(options)
    contexts.set(key, context)
  }
  return context
}

/** Whether a certificate is for the name and key of an authority that is trusted here, whoever signed it. */
export function isKnownAuthority(certificate: X509Certificate): boolean {
  authorityKeys ??= new Set(trusted().map(pem => nameAndKey(new X509Certificate(pem))))
  return authorityKeys.has(nameAndKey(certificate))
}

function trusted(): string[] {
  authorities ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
  return authorities
}

function nameAndKey(certificate: X509Certificate): string {
  try {
    return `${certificate.subject} ${certificate.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
  } catch {
    // A key of a kind that OpenSSL does not know is nobody's we could trust.
    return ''
  }
}
