import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { exposed } from './cors.ts'
import { isHeld, namesTags } from './etag.ts'
import type { Prepared } from './handler.ts'
import type { Counts } from './rate-limit.ts'
import { requestId } from './request-id.ts'

/** What is prepared for an address, or undefined where that has to be found out. */
type Find = (url: string) => Prepared | undefined

/**
 * Answers reads of what is prepared before they come to the router, which alone costs as much as the answer. It says to
 * the letter what the router would; whatever is not plain (a query, a body, a limit that is used up) is left to that.
 */
export function answerEarly(server: Server, find: Find, counts: Pick<Counts, 'visitor'>): void {
  const routed = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isRead(request)) {
      const prepared = find(request.url as string)
      if (prepared !== undefined && answer(request, response, prepared, counts)) return
    }
    for (const listener of routed) listener.call(server, request, response)
  })
}

/** A read without a body, which the router would leave in the connection. */
function isRead({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { body, tag }: Prepared,
  counts: Pick<Counts, 'visitor'>,
): boolean {
  const { headers } = request
  const held = isHeld(headers['if-none-match'], tag)
  const standing = counts.visitor(request, held && namesTags(headers['if-none-match']))
  if (standing === undefined) return false
  const said = ['x-request-id', requestId(headers['x-request-id']), 'access-control-allow-origin', '*']
  said.push('access-control-expose-headers', exposed, ...standing, 'etag', tag)
  if (held) {
    response.writeHead(304, said).end()
    return true
  }
  said.push('content-type', 'application/json; charset=utf-8', 'content-length', String(body.length))
  response.writeHead(200, said).end(request.method === 'HEAD' ? undefined : body)
  return true
}
