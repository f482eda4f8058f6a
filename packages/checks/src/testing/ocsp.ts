import { X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import type { Pair } from './certificates.ts'

const { asn1 } = forge
const { Class, Type } = asn1
const day = 86_400_000

const universal = (type: forge.asn1.Type, value: string) => asn1.create(Class.UNIVERSAL, type, false, value)
const sequence = (...value: forge.asn1.Asn1[]) => asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, value)
const tagged = (tag: number, value: forge.asn1.Asn1[] | string) =>
  asn1.create(Class.CONTEXT_SPECIFIC, tag as forge.asn1.Type, Array.isArray(value), value)
const oid = (name: string) => universal(Type.OID, asn1.oidToDer(name).getBytes())
const time = (days: number) =>
  universal(Type.GENERALIZEDTIME, asn1.dateToGeneralizedTime(new Date(Date.now() + days * day)))

/** An OCSP answer about the first certificate of a chain, without a signature that holds. */
export function ocspAnswer({ cert }: Pair, status: 'good' | 'revoked' | 'unknown'): Buffer {
  const { serialNumber } = new X509Certificate(cert)
  const algorithm = sequence(oid('1.3.14.3.2.26'))
  const octets = universal(Type.OCTETSTRING, 'x'.repeat(20))
  const id = sequence(algorithm, octets, octets, universal(Type.INTEGER, forge.util.hexToBytes(serialNumber)))
  const verdict = status === 'revoked' ? tagged(1, [time(-2)]) : tagged(status === 'good' ? 0 : 2, '')
  const single = sequence(id, verdict, time(-1), tagged(0, [time(6)]))
  const data = sequence(tagged(2, [octets]), time(-1), sequence(single))
  const basic = sequence(data, algorithm, universal(Type.BITSTRING, '\0'))
  const bytes = universal(Type.OCTETSTRING, asn1.toDer(basic).getBytes())
  const answer = sequence(universal(Type.ENUMERATED, '\0'), tagged(0, [sequence(oid('1.3.6.1.5.5.7.48.1.1'), bytes)]))
  return Buffer.from(asn1.toDer(answer).getBytes(), 'binary')
}
