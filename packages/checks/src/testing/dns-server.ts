import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import dnsPacket, { type Packet, type Question } from 'dns-packet'
import { onTestFinished } from 'vitest'

/** What a test's name server says to a question; null: nothing at all. */
export type Zone = (
  question: Question,
  transport: 'udp' | 'tcp',
  attempt: number,
  id: number,
) => Buffer | Partial<Packet> | null

/** A name server on loopback, UDP and TCP on one port, until the test is over; answers `address:port`. */
export async function dnsServer(zone: Zone, host = '127.0.0.1', wantedPort = 0): Promise<string> {
  let attempts = 0
  const reply = (query: Buffer, transport: 'udp' | 'tcp'): Buffer | null => {
    const { id = 0, questions = [] } = dnsPacket.decode(query)
    const [question] = questions
    const said = question ? zone(question, transport, ++attempts, id) : null
    if (said === null || Buffer.isBuffer(said)) return said
    return dnsPacket.encode({ type: 'response', id, questions, ...said })
  }

  const tcp = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', data => {
      const answer = reply(data.subarray(2), 'tcp')
      if (!answer) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(answer.length)
      socket.end(Buffer.concat([length, answer]))
    })
  }).listen(wantedPort, host)
  await once(tcp, 'listening')
  const { port } = tcp.address() as { port: number }

  const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  udp.on('message', (query, from) => {
    const answer = reply(query, 'udp')
    if (answer) udp.send(answer, from.port, from.address)
  })
  udp.bind(port, host)
  await once(udp, 'listening')
  onTestFinished(() => {
    udp.close()
    tcp.close()
  })
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

const codes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 }

/** An answer without records and with this response code. */
export const rcode = (code: keyof typeof codes): Partial<Packet> => ({ flags: codes[code] })
