import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
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
  })
  const { udp, port } = await bindBoth(tcp, host, wantedPort)
  udp.on('message', (query, from) => {
    const answer = reply(query, 'udp')
    if (answer) udp.send(answer, from.port, from.address)
  })
  onTestFinished(() => {
    udp.close()
    tcp.close()
  })
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** A port that is free of the one may be somebody's of the other: another one then. */
async function bindBoth(tcp: Server, host: string, wantedPort: number): Promise<{ udp: Socket; port: number }> {
  for (let attempt = 1; ; attempt++) {
    tcp.listen(wantedPort, host)
    await once(tcp, 'listening')
    const { port } = tcp.address() as AddressInfo
    const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    try {
      udp.bind(port, host)
      await once(udp, 'listening')
      return { udp, port }
    } catch (error) {
      udp.close()
      tcp.close()
      await once(tcp, 'close')
      if (wantedPort !== 0 || attempt === 20) throw error
    }
  }
}

const codes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 }

/** An answer without records and with this response code. */
export const rcode = (code: keyof typeof codes): Partial<Packet> => ({ flags: codes[code] })
