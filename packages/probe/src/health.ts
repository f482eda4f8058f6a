import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from './config.ts'
import { metricsContentType } from './metrics-text.ts'

/** What the probe says of itself. */
export interface Health {
  ready: boolean
  [fact: string]: unknown
}

/**
 * `/healthz` answers while the process lives; `/readyz` says 503 while it cannot fetch checks or keep results; `/metrics` is
 * for Prometheus.
 */
export class HealthServer {
  readonly url: string
  readonly #server: Server

  private constructor(server: Server, host: string) {
    const { port } = server.address() as AddressInfo
    this.#server = server
    this.url = `http://${host.includes(':') ? `[${host}]` : host || '127.0.0.1'}:${port}`
  }

  /** @throws when the address cannot be listened on */
  static async listen({ host, port }: Address, health: () => Health, metrics: () => string): Promise<HealthServer> {
    const server = createServer((request, response) => {
      const path = request.url?.split('?')[0]
      if (path === '/metrics') {
        response.writeHead(200, { 'content-type': metricsContentType })
        response.end(metrics())
        return
      }
      const state = health()
      const status = path === '/healthz' ? 200 : path !== '/readyz' ? 404 : state.ready ? 200 : 503
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(
        `${JSON.stringify(status === 404 ? { error: 'Only /healthz, /readyz and /metrics are here' } : state)}\n`,
      )
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host || undefined, resolve)
    })
    return new HealthServer(server, host)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}
