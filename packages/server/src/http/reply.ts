import { itemBody, listBody, type Route, type SliceMeta, sliceBody, statusOfEnvelope } from '@watchpost/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag, isHeld } from './etag.ts'
import { type Answer, type Ask, type Page, Prepared } from './handler.ts'

/**
 * Sends what a handler gave: in its envelope, with a tag to compare where it is a read.
 * @param version of what is shown, where it has one
 */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  entry: Route,
  answer: Answer<Route>,
  ask: Ask<Route>,
  version: number | undefined,
): FastifyReply {
  if (entry.produces !== undefined) return sendPage(reply, entry.produces, answer as unknown as Page)
  if (answer instanceof Prepared) return sendTagged(request, reply, answer.body, answer.tag)
  const body = enveloped(entry, answer, ask, request.url)
  // What a probe is given is given once, and written to be read, not to be kept.
  if (entry.method !== 'GET' || entry.surface === 'probe')
    return reply.status(statusOfEnvelope[entry.envelope]).send(body)
  const text = JSON.stringify(body)
  reply.header('cache-control', 'private, no-cache')
  return sendTagged(request, reply, text, entityTag(text, version))
}

function sendPage(reply: FastifyReply, produces: string, page: Page): FastifyReply {
  return reply.headers(page.headers).type(`${produces}; charset=utf-8`).send(page.body)
}

/** Sends bytes under their tag, or 304 to who holds them. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Buffer,
  tag: string,
  media = 'application/json',
): FastifyReply {
  reply.header('etag', tag)
  if (isHeld(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.header('content-type', `${media}; charset=utf-8`).send(body)
}

/** The contract's shape around what the handler said. */
export function enveloped(entry: Route, answer: Answer<Route>, ask: Ask<Route>, url: string): unknown {
  switch (entry.envelope) {
    case 'bare':
      return answer
    case 'list': {
      const { rows, total } = answer as unknown as { rows: unknown[]; total: number }
      const { page = 1, per_page = 20 } = ask.query as { page?: number; per_page?: number }
      return listBody(rows, total, page, per_page, url)
    }
    case 'slice': {
      const { rows, meta } = answer as unknown as { rows: unknown[]; meta: SliceMeta }
      return sliceBody(rows, meta, url)
    }
    case 'deleted':
      return itemBody(null, entry.message)
    default:
      return itemBody(answer, entry.message)
  }
}
