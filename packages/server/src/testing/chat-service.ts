import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Posted {
  path: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a message
  body: any
}

/** A service that people read, as far as a channel sees it: takes messages and answers what it is told to. */
export class ChatService {
  readonly posted: Posted[] = []
  /** Answers to come, the last again and again. */
  answers: { status: number; body?: string; headers?: Record<string, string> }[] = [{ status: 200 }]
  private readonly server: Server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      this.posted.push({ path: request.url ?? '', body: JSON.parse(text) })
      const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0]
      response.writeHead(answer?.status ?? 200, answer?.headers).end(answer?.body)
    })
  })

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise(resolve => this.server.close(resolve))
  }
}
