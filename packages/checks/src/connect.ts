import { connect as open, type Socket } from 'node:net'
import { at } from './address.ts'
import { Failure } from './failure.ts'
import type { Look } from './look.ts'
import { socketFailure } from './socket-failure.ts'

/**
 * Opens a fresh TCP connection to one address that `resolve` has let through. The caller destroys the socket.
 * @param isSilent nothing will be said or heard on it: then the system is not told how
 * @throws {Failure} connect_refused, connect_timeout, connect_unreachable, connect_reset, or the probe's own trouble
 */
export function connect(look: Look, ip: string, port: number, isSilent = false): Promise<Socket> {
  // One promise and no more: for many checks to connect is all they do.
  return new Promise((resolve, reject) => {
    const socket = open({ host: ip, port, noDelay: !isSilent, autoSelectFamily: false })
    if (isSilent) socket.pause()
    let isSettled = false
    const settled = () => {
      isSettled = true
      look.signal.removeEventListener('abort', late)
      look.watch.lap('connect_ms')
    }
    // An error that comes when nobody waits any more must not end the process.
    const failed = (error: unknown) => {
      if (isSettled) return
      settled()
      socket.destroy()
      reject(socketFailure(error, at(ip, port)))
    }
    const late = () => failed(connectTimeout(look, ip, port))
    socket.on('error', failed)
    socket.on('connect', () => {
      if (isSettled) return
      settled()
      resolve(socket)
    })
    if (look.signal.aborted) late()
    else look.signal.addEventListener('abort', late)
  })
}

/** Waits until a socket is secure. An error that comes when nobody waits any more must not end the process. */
export function secured(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.on('error', reject)
  })
}

/** That nothing answered until the deadline. */
export function connectTimeout(look: Look, ip: string, port: number): Failure {
  return new Failure('connect_timeout', `No connection to ${at(ip, port)} within ${look.timeout} s.`)
}
