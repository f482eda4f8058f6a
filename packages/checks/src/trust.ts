import { createSecureContext, getCACertificates, type SecureContext, type SecureContextOptions } from 'node:tls'

export type TlsVersion = 'TLSv1' | 'TLSv1.2' | 'TLSv1.3'

let authorities: string[] | undefined
const contexts = new Map<string, SecureContext>()

/**
 * The TLS settings of a check, shared by all checks that set the same: making a context parses every authority, which
 * costs more than the handshake. Trusted are Node's own authorities, NODE_EXTRA_CA_CERTS and the system's.
 * @param weak also lets weak keys and signatures through the handshake, for those who look at them afterwards
 */
export function secureContext(minVersion: TlsVersion, weak = false): SecureContext {
  const key = `${minVersion} ${weak}`
  let context = contexts.get(key)
  if (!context) {
    authorities ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
    const options: SecureContextOptions = { ca: authorities, minVersion }
    if (weak) options.ciphers = 'DEFAULT@SECLEVEL=0'
    context = createSecureContext(options)
    contexts.set(key, context)
  }
  return context
}
