import { createSocket } from 'node:dgram'
import { type Finding, fail, ok, warn } from './finding.ts'

const skewAllowedMs = 2000
const answerMs = 2500
/** From 1900, as time servers count, to 1970. */
const since1900 = 2_208_988_800_000

/**
 * @param ahead of this clock, ms
 * @param uncertainty how long the question took, ms
 */
export function clock(ahead: number, uncertainty: number, whose: string): Finding {
  const off = Math.max(0, Math.abs(ahead) - uncertainty)
  if (off <= skewAllowedMs) return ok('clock', `agrees with ${whose}`)
  const way = ahead < 0 ? 'ahead of' : 'behind'
  return fail('clock', `${(off / 1000).toFixed(1)} s ${way} ${whose}`, 'run a time service such as systemd-timesyncd')
}

/** Asks a time server once (RFC 5905, as its simplest client). @param server host, host:port or [address]:port */
export async function askTime(server: string): Promise<Finding> {
  // An address of IPv6 has colons of its own: with a port it is put in brackets.
  const [, bracketed, plain, port = '123'] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(server) ?? []
  const host = bracketed ?? plain ?? server
  const sentAt = Date.now()
  try {
    const answer = await question(host, Number(port))
    const took = Date.now() - sentAt
    const seconds = answer.length < 48 ? 0 : answer.readUInt32BE(40)
    // Of what leaves out its time, nothing is known.
    if (seconds === 0) return warn('clock', `${server} gave no time`, mend)
    const theirs = seconds * 1000 + (answer.readUInt32BE(44) / 2 ** 32) * 1000 - since1900
    return clock(theirs - (sentAt + took / 2), took / 2, server)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return warn('clock', `nobody could be asked: ${server} ${code ?? message}`, mend)
  }
}

const mend = 'name a time server that can be reached with --time-server, or off'

function question(host: string, port: number): Promise<Buffer> {
  // Version 4, from a client.
  const packet = Buffer.alloc(48)
  packet[0] = 0x23
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  return new Promise<Buffer>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('does not answer')), answerMs)
    socket.once('message', message => {
      clearTimeout(timer)
      resolve(message)
    })
    socket.once('error', error => {
      clearTimeout(timer)
      reject(error)
    })
    socket.once('connect', () => socket.send(packet))
    socket.connect(port, host)
  }).finally(() => socket.close())
}
