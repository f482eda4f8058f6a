import { optionsSchema } from '@watchpost/checks/validate'
import { checkTypes, ingestRoutes, openApi, otlpRoutes, routes, serverOptions } from '@watchpost/contract'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { entityTag } from '../http/etag.ts'
import { sendTagged } from '../http/reply.ts'
import type { Document } from '../reference/document.ts'
import { renderReference } from '../reference/page.ts'
import { version } from '../version.ts'

/**
 * The contract as a document: `/openapi.json` for programs, `/docs` for people. The same for everybody and as long as the
 * server runs: bytes made once, and not counted.
 */
export function registerDocument(app: FastifyInstance): void {
  const options = Object.fromEntries(checkTypes.map(type => [type, optionsSchema(type)]))
  const all = { ...options, server: Type.Object(serverOptions, { additionalProperties: false }) }
  const document = openApi({ ...routes, ...otlpRoutes, ...ingestRoutes }, all, version)
  serveBytes(app, '/openapi.json', 'application/json', JSON.stringify(document))
  serveBytes(app, '/docs', 'text/html', renderReference(document as unknown as Document))
}

function serveBytes(app: FastifyInstance, path: string, media: string, text: string): void {
  const body = Buffer.from(text)
  const tag = entityTag(body)
  app.get(path, async (request, reply) => {
    reply.header('cache-control', 'no-cache')
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'")
    return sendTagged(request, reply, body, tag, media)
  })
}
