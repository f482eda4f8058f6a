import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type AddressPolicy, isRefused } from '@watchpost/checks'
import { Agent, type buildConnector } from 'undici'

/**
 * An undici agent that judges the address it connects to, not the name: a name may resolve to anything by the time it
 * is used, and spells of an address (`127.1`, `2130706433`) are many. TLS is put on top of the judged connection.
 */
export function guardedAgent(policy: AddressPolicy, connectTimeoutMs: number): Agent {
  const connect: buildConnector.connector = (options, callback) => {
    guardedSocket(options, policy, connectTimeoutMs).then(
      socket => callback(null, socket),
      error => callback(error, null),
    )
  }
  return new Agent({ connect, pipelining: 1, keepAliveTimeout: 1000 })
}

async function guardedSocket(options: buildConnector.Options, policy: AddressPolicy, timeoutMs: number) {
  const secure = options.protocol === 'https:'
  const port = Number(options.port || (secure ? 443 : 80))
  const name = options.hostname.replace(/^\[|\]$/g, '')
  const signal = AbortSignal.timeout(timeoutMs)
  const { address } = await inTime(lookup(name), signal)
  if (isRefused(address, policy)) {
    throw new Error(
      `${name === address ? address : `${name} (${address})`} is a private or reserved address; allow private ones with WATCHPOST_CHANNEL_PRIVATE=allow`,
    )
  }
  const tcp = connectTcp({ host: address, port, noDelay: true })
  await opened(tcp, 'connect', signal)
  if (!secure) return tcp
  const tls = connectTls({ socket: tcp, host: name, servername: isIP(name) ? '' : name, ALPNProtocols: ['http/1.1'] })
  await opened(tls, 'secureConnect', signal)
  return tls
}

/** A look-up has no deadline of its own. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('looking up the name took too long')), { once: true })
    }),
  ])
}

function opened(socket: import('node:net').Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      socket.destroy()
      reject(error)
    }
    const timedOut = () => fail(new Error('connecting took too long'))
    signal.addEventListener('abort', timedOut, { once: true })
    socket.once('error', fail)
    socket.once(event, () => {
      signal.removeEventListener('abort', timedOut)
      socket.off('error', fail)
      resolve()
    })
  })
}
