import { connect as open, type Socket } from 'node:net'
import { at } from './address.ts'
import { Failure } from './failure.ts'
import { beforeDeadline, type Look } from './look.ts'
import { socketFailure } from './socket-failure.ts'

/**
 * Opens a fresh TCP connection to one address that `resolve` has let through. The caller destroys the socket.
 * @throws {Failure} connect_refused, connect_timeout, connect_unreachable, connect_reset, or the probe's own trouble
 */
export async function connect(look: Look, ip: string, port: number): Promise<Socket> {
  const socket = open({ host: ip, port, noDelay: true, autoSelectFamily: false })
  try {
    await beforeDeadline(look.signal, opened(socket, 'connect'), () => connectTimeout(look, ip, port))
  } catch (error) {
    socket.destroy()
    throw socketFailure(error, at(ip, port))
  } finally {
    look.watch.lap('connect_ms')
  }
  return socket
}

/** Waits until a socket says that it is open. An error that comes when nobody waits any more must not end the process. */
export function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve)
    socket.on('error', reject)
  })
}

/** That nothing answered until the deadline. */
export function connectTimeout(look: Look, ip: string, port: number): Failure {
  return new Failure('connect_timeout', `No connection to ${at(ip, port)} within ${look.timeout} s.`)
}
