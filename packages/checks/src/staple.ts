import forge from 'node-forge'
import { Failure } from './failure.ts'

const { asn1 } = forge
const statuses = ['good', 'revoked', 'unknown'] as const

/** What an authority says of one certificate, in the OCSP answer (RFC 6960) that a server staples to its handshake. */
export interface Staple {
  status: (typeof statuses)[number]
  /** When it was revoked, in ISO 8601. */
  revoked_at: string | null
  this_update: string | null
  next_update: string | null
}

/**
 * Reads the part of an OCSP answer that is about the certificate with this serial number (hexadecimal); null where there
 * is none. Its signature is not looked at: a server that lies about itself would say "good", which counts for nothing.
 */
export function readStaple(answer: Buffer, serial: string): Staple | null {
  try {
    const [status, bytes] = children(parse(answer.toString('binary')))
    if (status?.value !== '\0' || !bytes) return null
    const [, octets] = children(children(bytes)[0])
    const [data] = children(parse(String(octets?.value)))
    // Version and identity of who answers come first, extensions last: the list of answers is the only plain sequence.
    const list = children(data).find(it => it.type === asn1.Type.SEQUENCE && it.tagClass === asn1.Class.UNIVERSAL)
    for (const single of children(list)) {
      const [id, verdict, thisUpdate, nextUpdate] = children(single)
      const number = children(id)[3]
      if (!verdict || normal(forge.util.bytesToHex(String(number?.value))) !== normal(serial)) continue
      const word = statuses[verdict.type as number] ?? 'unknown'
      return {
        status: word,
        revoked_at: word === 'revoked' ? timeOf(children(verdict)[0]) : null,
        this_update: timeOf(thisUpdate),
        next_update: nextUpdate?.tagClass === asn1.Class.CONTEXT_SPECIFIC ? timeOf(children(nextUpdate)[0]) : null,
      }
    }
  } catch {
    // Not an OCSP answer: as good as none.
  }
  return null
}

/** tls_untrusted where the authority took the certificate back, or the certificate promises a staple that is missing. */
export function stapleFailure(staple: Staple | null, mustStaple: boolean, host: string): Failure | null {
  if (staple?.status === 'revoked') {
    const on = staple.revoked_at ? ` on ${staple.revoked_at.slice(0, 10)}` : ''
    return new Failure('tls_untrusted', `The certificate of ${host} was revoked by its authority${on}.`)
  }
  if (staple || !mustStaple) return null
  const missing = 'demands a stapled OCSP answer (must-staple), and the server sends none'
  return new Failure('tls_untrusted', `The certificate of ${host} ${missing}.`)
}

const parse = (der: string) => asn1.fromDer(forge.util.createBuffer(der))

const children = (node: forge.asn1.Asn1 | undefined) => (Array.isArray(node?.value) ? node.value : [])

function timeOf(node: forge.asn1.Asn1 | undefined): string | null {
  if (typeof node?.value !== 'string') return null
  const time = asn1.generalizedTimeToDate(node.value)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

const normal = (hex: string) => hex.toLowerCase().replace(/^0+/, '')
