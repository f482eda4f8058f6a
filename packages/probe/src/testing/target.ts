import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Something to look at: a real HTTP server that counts who looks. */
export class Target {
  status = 200
  /** Milliseconds before it answers. */
  delayMs = 0
  hits = 0
  open = 0
  /** Most requests open at one time. */
  mostOpen = 0
  readonly #server: Server

  private constructor() {
    this.#server = createServer((_, response) => {
      this.hits++
      this.mostOpen = Math.max(this.mostOpen, ++this.open)
      const timer = setTimeout(() => response.writeHead(this.status).end('watchpost'), this.delayMs)
      response.on('close', () => {
        clearTimeout(timer)
        this.open--
      })
    })
  }

  static async start(): Promise<Target> {
    const target = new Target()
    await new Promise<void>(resolve => target.#server.listen(0, '127.0.0.1', resolve))
    return target
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}
