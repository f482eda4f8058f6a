import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import dnsPacket, { type DecodedPacket, type RecordType } from 'dns-packet'
import { connect } from './connect.ts'
import { Failure } from './failure.ts'
import { beforeDeadline, type Look } from './look.ts'
import { at } from './resolve.ts'
import { socketFailure } from './socket-failure.ts'

export interface Resolver {
  ip: string
  port: number
}

export interface Query {
  name: string
  type: RecordType
}

/** An answer as dns-packet decodes it; its types leave the response code out. */
export type Response = DecodedPacket & { rcode: string }

const resends = 2

/**
 * Asks one resolver. Over UDP the question is sent again twice while time remains, and once more over TCP when the
 * answer was cut short.
 * @throws {Failure} dns_timeout, or what befell the connection
 */
export async function ask(look: Look, resolver: Resolver, query: Query, transport: 'udp' | 'tcp'): Promise<Response> {
  if (transport === 'tcp') return askOverTcp(look, resolver, query)
  const response = await askOverUdp(look, resolver, query)
  if (!response.flag_tc) return response
  look.details.truncated = true
  return askOverTcp(look, resolver, query)
}

async function askOverUdp(look: Look, resolver: Resolver, query: Query): Promise<Response> {
  const { ip, port } = resolver
  const { id, packet } = encode(query)
  const socket = createSocket(isIP(ip) === 6 ? 'udp6' : 'udp4')
  const timers: NodeJS.Timeout[] = []
  try {
    return await beforeDeadline(
      look.signal,
      new Promise<Response>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('message', message => {
          const response = decode(message, id, query)
          if (response) resolve(response)
        })
        // Connected, so that the kernel drops what others send and tells of a closed port.
        socket.connect(port, ip, () => {
          const every = (look.timeout * 1000) / (resends + 2)
          for (let time = 0; time <= resends; time++) timers.push(setTimeout(() => socket.send(packet), time * every))
        })
      }),
      () => tooLate(look, resolver),
    )
  } catch (error) {
    throw socketFailure(error, at(ip, port))
  } finally {
    for (const timer of timers) clearTimeout(timer)
    socket.close()
    look.watch.lap('resolve_ms')
  }
}

async function askOverTcp(look: Look, resolver: Resolver, query: Query): Promise<Response> {
  const { id, packet } = encode(query)
  const where = at(resolver.ip, resolver.port)
  const socket = await connect(look, resolver.ip, resolver.port)
  let received = Buffer.alloc(0)
  try {
    return await beforeDeadline(
      look.signal,
      new Promise<Response>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('close', () =>
          reject(new Failure('connect_reset', `${where} closed the connection without an answer.`)),
        )
        socket.on('data', chunk => {
          received = Buffer.concat([received, chunk])
          if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
          const response = decode(received.subarray(2, 2 + received.readUInt16BE(0)), id, query)
          if (response) resolve(response)
          else reject(new Failure('dns_answer', `${where} sent an answer that is none to the question.`))
        })
        const length = Buffer.alloc(2)
        length.writeUInt16BE(packet.length)
        socket.write(Buffer.concat([length, packet]))
      }),
      () => tooLate(look, resolver),
    )
  } catch (error) {
    throw socketFailure(error, where)
  } finally {
    socket.destroy()
    look.watch.lap('resolve_ms')
  }
}

function encode(query: Query): { id: number; packet: Buffer } {
  const id = randomInt(0x10000)
  const flags = dnsPacket.RECURSION_DESIRED
  return { id, packet: dnsPacket.encode({ type: 'query', id, flags, questions: [{ ...query, class: 'IN' }] }) }
}

/** The answer to this question; null for anything else, which over UDP may be forged or late, and is waited past. */
function decode(message: Buffer, id: number, query: Query): Response | null {
  try {
    const response = dnsPacket.decode(message) as Response
    const [question] = response.questions ?? []
    const isOurs =
      !question || (question.name.toLowerCase() === query.name.toLowerCase() && question.type === query.type)
    return response.type === 'response' && response.id === id && isOurs ? response : null
  } catch {
    return null
  }
}

function tooLate(look: Look, { ip, port }: Resolver): Failure {
  return new Failure('dns_timeout', `The resolver ${at(ip, port)} did not answer within ${look.timeout} s.`)
}
