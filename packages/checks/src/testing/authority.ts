import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { chain, makeCertificate } from './certificates.ts'

const host = '127.0.0.1'
const hosts = [host, 'localhost']

/** An authority that this process trusts once `trustRoot` is called, before its first TLS check. */
const root = makeCertificate({ name: 'Test root', isAuthority: true, to: 3650 })
const intermediate = makeCertificate({ name: 'Test intermediate', isAuthority: true, to: 1000 }, root)
const stale = makeCertificate({ name: 'Old intermediate', isAuthority: true, from: -20, to: -10 }, root)
const stranger = makeCertificate({ name: 'Unknown root', isAuthority: true, to: 1000 })
const short = makeCertificate({ name: 'Short intermediate', isAuthority: true, to: 5.5 }, root)
// The root's name and key, vouched for by an authority from before it was known.
const crossed = makeCertificate(
  { name: 'Test root', isAuthority: true, to: 3.5, key: root.key, digest: 'sha1' },
  stranger,
)
const leaf = makeCertificate({ name: host, hosts }, intermediate)

/** As NODE_EXTRA_CA_CERTS would. */
export const trustRoot = () => setDefaultCACertificates([...getCACertificates('default'), root.cert])

/** What servers send: one that is right, and one for each mistake. */
export const sent = {
  good: chain(leaf, intermediate),
  withRoot: chain(leaf, intermediate, root),
  expired: chain(makeCertificate({ name: host, hosts, from: -90, to: -1 }, root)),
  notYetValid: chain(makeCertificate({ name: host, hosts, from: 1 }, root)),
  wrongHost: chain(makeCertificate({ name: 'example.com', hosts: ['example.com', 'www.example.com'] }, root)),
  selfSigned: chain(makeCertificate({ name: host, hosts })),
  unknownIssuer: chain(makeCertificate({ name: host, hosts }, stranger)),
  unknownRoot: chain(makeCertificate({ name: host, hosts }, stranger), stranger),
  missingIntermediate: chain(leaf),
  missingIntermediateWithAddress: chain(makeCertificate({ name: host, hosts, aia: true }, stranger)),
  expiredIntermediate: chain(makeCertificate({ name: host, hosts }, stale), stale),
  weakKey: chain(makeCertificate({ name: host, hosts, bits: 1024 }, root)),
  weakSignature: chain(makeCertificate({ name: host, hosts, digest: 'sha1' }, root)),
  crossSigned: chain(makeCertificate({ name: host, hosts }, root), crossed),
  expiringIntermediate: chain(makeCertificate({ name: host, hosts }, short), short),
  nameInSubject: chain(makeCertificate({ name: 'localhost' }, root)),
  wildcard: chain(makeCertificate({ name: 'wild', hosts: ['*.example.test'] }, root)),
  mustStaple: chain(makeCertificate({ name: host, hosts, mustStaple: true }, root)),
  expiresSoon: chain(makeCertificate({ name: host, hosts, to: 5.5 }, root)),
}
export type Mistake = keyof typeof sent
