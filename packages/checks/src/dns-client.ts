import { randomInt } from 'node:crypto'
import dnsPacket, { type DecodedPacket, type RecordType } from 'dns-packet'
import { at } from './address.ts'
import { connect } from './connect.ts'
import { Channel } from './dns-channel.ts'
import { isWellFormed } from './dns-form.ts'
import { Failure } from './failure.ts'
import { beforeDeadline, type Look } from './look.ts'
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
// Over TCP, with its length before it.
const maxMessage = 2 + 0xffff

/**
 * Asks one resolver. Over UDP the question is sent again twice while time remains, and once more over TCP when the
 * answer was cut short.
 * @throws {Failure} dns_timeout, dns_answer, or what befell the connection
 */
export async function ask(look: Look, resolver: Resolver, query: Query, transport: 'udp' | 'tcp'): Promise<Response> {
  if (transport === 'tcp') return askOverTcp(look, resolver, query)
  const response = await askOverUdp(look, resolver, query)
  if (!response.flag_tc) return response
  look.details.truncated = true
  return askOverTcp(look, resolver, query)
}

function askOverUdp(look: Look, resolver: Resolver, query: Query): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const packet = encode(query)
  let channel = Channel.to(resolver)
  let id = 0
  let left = resends
  let strange: string | null = null
  const every = (look.timeout * 1000) / (resends + 2)
  const sendAgain = () => {
    channel.send(packet)
    if (--left > 0) timer = setTimeout(sendAgain, every)
  }
  const ended = () => {
    clearTimeout(timer)
    look.signal.removeEventListener('abort', late)
    channel.forget(id)
    look.watch.lap('resolve_ms')
  }
  const late = () => {
    ended()
    reject(strange === null ? tooLate(look, resolver) : oddAnswer(resolver, strange))
  }
  const listener = {
    heard(message: Buffer) {
      const read = decode(message, packet.readUInt16BE(), query)
      // What is no answer to the question may be forged: the right one may still come.
      if (typeof read === 'string') {
        strange = read
        return
      }
      ended()
      resolve(read)
    },
    failed(error: Error) {
      // What became of somebody else's question says nothing of this one.
      if (channel.isShared && !look.signal.aborted) {
        channel = new Channel(resolver)
        id = channel.ask(packet, listener)
        return
      }
      ended()
      reject(socketFailure(error, at(resolver.ip, resolver.port)))
    },
  }
  let timer = setTimeout(sendAgain, every)
  id = channel.ask(packet, listener)
  if (look.signal.aborted) late()
  else look.signal.addEventListener('abort', late)
  return promise
}

async function askOverTcp(look: Look, resolver: Resolver, query: Query): Promise<Response> {
  const packet = encode(query)
  const id = randomInt(0x10000)
  packet.writeUInt16BE(id)
  const where = at(resolver.ip, resolver.port)
  const socket = await connect(look, resolver.ip, resolver.port)
  const received = Buffer.allocUnsafe(maxMessage)
  let size = 0
  try {
    return await beforeDeadline(
      look.signal,
      new Promise<Response>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('close', () =>
          reject(new Failure('connect_reset', `${where} closed the connection without an answer.`)),
        )
        socket.on('data', chunk => {
          size += chunk.copy(received, size)
          if (size < 2 || size < 2 + received.readUInt16BE()) return
          const read = decode(received.subarray(2, 2 + received.readUInt16BE()), id, query)
          if (typeof read === 'string') reject(oddAnswer(resolver, read))
          else resolve(read)
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

/** A question, still without its id. */
export function encode(query: Query): Buffer {
  const flags = dnsPacket.RECURSION_DESIRED
  return dnsPacket.encode({ type: 'query', id: 0, flags, questions: [{ ...query, class: 'IN' }] })
}

/** The answer to this question; of anything else, what it is instead. */
function decode(message: Buffer, id: number, query: Query): Response | string {
  if (!isWellFormed(message)) return 'that cannot be read'
  let response: Response
  try {
    response = dnsPacket.decode(message) as Response
  } catch {
    return 'that cannot be read'
  }
  if (response.type !== 'response') return 'that is a question itself'
  if (response.id !== id) return 'to another question (its id is wrong)'
  const [question] = response.questions ?? []
  const isOurs = !question || (question.name.toLowerCase() === query.name.toLowerCase() && question.type === query.type)
  return isOurs ? response : 'to another question'
}

function tooLate(look: Look, { ip, port }: Resolver): Failure {
  return new Failure('dns_timeout', `The resolver ${at(ip, port)} did not answer within ${look.timeout} s.`)
}

function oddAnswer({ ip, port }: Resolver, what: string): Failure {
  return new Failure('dns_answer', `The resolver ${at(ip, port)} sent an answer ${what}.`)
}
