import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

/** Listens on a free port of an address until the test is over; answers `address:port`. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** A TCP server that does what the test says with every connection. */
export const tcpServer = (talk: (socket: Socket) => void, host?: string) => listen(createServer(talk), host)

/** A TCP server that answers a request with bytes as they stand. */
export const rawServer = (answer: string | Buffer, thenEnd = true) =>
  tcpServer(socket => socket.once('data', () => (thenEnd ? socket.end(answer) : socket.write(answer))))

export const httpServer = (answer: RequestListener, host?: string) => listen(createHttpServer(answer), host)

export const httpsServer = (options: TlsOptions, answer: RequestListener = (_, response) => void response.end('ok')) =>
  listen(createHttpsServer({ ciphers: 'DEFAULT@SECLEVEL=0', ...options }, answer))

export const tlsServer = (options: TlsOptions, talk: (socket: Socket) => void = () => {}) =>
  listen(createTlsServer({ ciphers: 'DEFAULT@SECLEVEL=0', ...options }, talk))

/** An address where nobody listens: a port that was free a moment ago. */
export async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `127.0.0.1:${port}`
}
