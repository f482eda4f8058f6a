import { once } from 'node:events'
import { connect as open, type Socket } from 'node:net'
import { Failure } from './failure.ts'
import { beforeDeadline, type Look } from './look.ts'
import { at } from './resolve.ts'
import { socketFailure } from './socket-failure.ts'

/**
 * Opens a fresh TCP connection to one address that `resolve` has let through. The caller destroys the socket.
 * @throws {Failure} connect_refused, connect_timeout, connect_unreachable, connect_reset, or the probe's own trouble
 */
export async function connect(look: Look, ip: string, port: number): Promise<Socket> {
  const where = at(ip, port)
  const socket = open({ host: ip, port, noDelay: true, autoSelectFamily: false })
  try {
    await beforeDeadline(
      look.signal,
      once(socket, 'connect'),
      () => new Failure('connect_timeout', `No connection to ${where} within ${look.timeout} s.`),
    )
  } catch (error) {
    socket.destroy()
    throw socketFailure(error, where)
  } finally {
    look.watch.lap('connect_ms')
    // An error that nobody waits for, such as a reset after the answer, must not end the process.
    socket.on('error', () => {})
  }
  return socket
}
