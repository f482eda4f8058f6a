import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an event
  body: any
  headers: Record<string, string>
  raw: string
}

/** A webhook receiver that can be away. */
export class Receiver {
  readonly received: Received[] = []
  /** Deliveries that it did not take. */
  refused = 0
  private server = createServer()
  private port = 0

  /** @param status what it answers */
  async start(status = 200): Promise<string> {
    this.server = createServer((request, response) => {
      let raw = ''
      request.on('data', chunk => {
        raw += chunk
      })
      request.on('end', () => {
        const headers = request.headers as Record<string, string>
        if (status < 300) this.received.push({ id: headers['webhook-id'] ?? '', body: JSON.parse(raw), headers, raw })
        else this.refused++
        response.writeHead(status).end()
      })
    })
    await new Promise<void>(resolve => this.server.listen(this.port, '127.0.0.1', resolve))
    this.port = (this.server.address() as AddressInfo).port
    return `http://127.0.0.1:${this.port}/hook`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise(resolve => this.server.close(resolve))
  }

  /** Verifies each as a customer would, with the public library. */
  verifyAll(secret: string): void {
    const webhook = new Webhook(secret)
    for (const { raw, headers } of this.received) webhook.verify(raw, headers)
  }
}
