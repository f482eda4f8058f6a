import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import packet from 'dns-packet'
import forge from 'node-forge'

/** Something to watch, which can be stopped and brought back at the same address. */
export interface Target {
  /** Body of `POST /v1/monitors`, without a name. */
  monitor: Record<string, unknown>
  stop(): Promise<void>
  start(): Promise<void>
}

/** A server on one port of 127.0.0.1 that closes its connections when it stops. */
async function listening(create: () => Server): Promise<{ port: number } & Pick<Target, 'stop' | 'start'>> {
  let server = create()
  const sockets = new Set<Socket>()
  const listen = (port: number) =>
    new Promise<void>(resolve => {
      server.on('connection', socket => {
        sockets.add(socket)
        socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
      })
      server.listen(port, '127.0.0.1', resolve)
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    port,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    async start() {
      server = create()
      await listen(port)
    },
  }
}

export async function httpTarget(): Promise<Target> {
  const at = await listening(() => createHttp((_request, response) => response.end('all is well')))
  return { ...at, monitor: { type: 'http', target: `http://127.0.0.1:${at.port}/`, options: { keyword: 'well' } } }
}

export async function httpsTarget(): Promise<Target> {
  const at = await listening(() => createHttps(certificate(), (_request, response) => response.end('all is well')))
  return { ...at, monitor: { type: 'https', target: `https://127.0.0.1:${at.port}/`, ssl_verify: false } }
}

export async function tcpTarget(): Promise<Target> {
  const at = await listening(() => createTcp(socket => socket.write('220 ready\r\n')))
  return { ...at, monitor: { type: 'tcp', target: `127.0.0.1:${at.port}`, options: { expect: '220' } } }
}

export async function sslTarget(): Promise<Target> {
  const at = await listening(() => createHttps(certificate()))
  return { ...at, monitor: { type: 'ssl', target: `127.0.0.1:${at.port}`, options: { allow_self_signed: true } } }
}

/** A name server that knows one name. */
export async function dnsTarget(): Promise<Target> {
  const open = (port: number) =>
    new Promise<ReturnType<typeof createSocket>>(resolve => {
      const socket = createSocket('udp4')
      socket.on('message', (query: Buffer, from: RemoteInfo) => {
        const { id, questions } = packet.decode(query)
        const answer = { type: 'A' as const, name: 'shop.test', ttl: 1, data: '192.0.2.7' }
        socket.send(
          packet.encode({ id: id ?? 0, type: 'response', questions: questions ?? [], answers: [answer] }),
          from.port,
          from.address,
        )
      })
      socket.bind(port, '127.0.0.1', () => resolve(socket))
    })
  let socket = await open(0)
  const { port } = socket.address()
  return {
    monitor: {
      type: 'dns',
      target: 'shop.test',
      options: { resolver: `127.0.0.1:${port}`, expected_answers: ['192.0.2.7'] },
    },
    stop: () => new Promise(resolve => socket.close(() => resolve())),
    async start() {
      socket = await open(port)
    },
  }
}

/** An address of this host that is there, or is not. Needs root and iproute2, as in CI. */
export async function pingTarget(): Promise<Target> {
  // Of the range that is set apart for such tests; another run on this host has another one.
  const host = `198.18.${randomInt(256)}.${randomInt(1, 255)}`
  const set = async (verb: string) => {
    execFileSync('ip', ['address', verb, `${host}/32`, 'dev', 'lo'])
  }
  await set('replace')
  return {
    monitor: { type: 'ping', target: host, options: { count: 1 } },
    stop: () => set('delete'),
    start: () => set('replace'),
  }
}

let made: { key: string; cert: string } | undefined

/** A self-signed certificate of this run, good for a year. */
function certificate(): { key: string; cert: string } {
  if (made !== undefined) return made
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const cert = forge.pki.createCertificate()
  cert.publicKey = keys.publicKey
  cert.serialNumber = '01'
  cert.validity.notBefore = new Date(Date.now() - 86_400_000)
  cert.validity.notAfter = new Date(Date.now() + 365 * 86_400_000)
  const name = [{ name: 'commonName', value: '127.0.0.1' }]
  cert.setSubject(name)
  cert.setIssuer(name)
  cert.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }])
  cert.sign(keys.privateKey, forge.md.sha256.create())
  made = { key: forge.pki.privateKeyToPem(keys.privateKey), cert: forge.pki.certificateToPem(cert) }
  return made
}

/** One target of each kind of check, by its name. */
export async function allTargets(): Promise<Map<string, Target>> {
  const kinds = {
    http: httpTarget,
    https: httpsTarget,
    tcp: tcpTarget,
    ssl: sslTarget,
    dns: dnsTarget,
    ping: pingTarget,
  }
  const targets = new Map<string, Target>()
  for (const [name, make] of Object.entries(kinds)) targets.set(name, await make())
  return targets
}
