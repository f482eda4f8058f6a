import type { IncomingMessage } from 'node:http'

export interface HttpRequest {
  method?: string | undefined
  headers?: Record<string, string>
  body?: string | undefined
  signal?: AbortSignal | undefined
}

/** As much of a `Response` as a client reads. */
export interface HttpAnswer {
  status: number
  ok: boolean
  headers: { get(name: string): string | null }
  text(): Promise<string>
}

/**
 * Sends a request and waits for the head of its answer; the body is to be read from it.
 * On Node's own http, which is there in a fifth of the time that the global `fetch` takes to load, and in 15 MB less.
 * @throws {TypeError} as `fetch` does, with the reason as its cause
 */
export function openHttp(address: string | URL, request: HttpRequest): Promise<IncomingMessage> {
  const url = new URL(address)
  // An import would read every export, and one of them loads what is to be avoided.
  const { request: send } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const { method = 'GET', headers = {}, body, signal } = request
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown) => reject(new TypeError('fetch failed', { cause }))
    if (signal?.aborted === true) return failed(signal.reason)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const sent = send(url, { method, headers: { ...headers, ...length }, ...(signal === undefined ? {} : { signal }) })
    sent.once('error', failed)
    sent.once('response', (answer: IncomingMessage) => {
      const status = answer.statusCode ?? 0
      // A token must not follow where an answer leads.
      if (status >= 300 && status < 400 && status !== 304) {
        sent.destroy()
        return failed(new Error(`unexpected redirect to ${answer.headers.location ?? 'nowhere'}`))
      }
      resolve(answer)
    })
    sent.end(body)
  })
}

/**
 * Sends a request and reads its answer to the end: a `fetch` for Node, of what a client needs of one.
 * @throws what the signal was aborted with, or as {@link openHttp}
 */
export async function nodeFetch(address: string | URL, request: HttpRequest): Promise<HttpAnswer> {
  try {
    const answer = await openHttp(address, request)
    const text = await textOf(answer)
    return answerOf(answer.statusCode ?? 0, text, answer.headers)
  } catch (error) {
    const reason: unknown = request.signal?.reason
    throw reason instanceof Error ? reason : error
  }
}

export function textOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    answer.setEncoding('utf8')
    answer.on('data', (chunk: string) => (text += chunk))
    answer.once('end', () => resolve(text))
    answer.once('error', cause => reject(new TypeError('fetch failed', { cause })))
  })
}

function answerOf(status: number, text: string, headers: IncomingMessage['headers']): HttpAnswer {
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: name => [headers[name.toLowerCase()] ?? null].flat()[0] ?? null },
    text: async () => text,
  }
}
