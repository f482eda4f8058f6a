import { optionsSchema } from '@watchpost/checks'
import { checkTypes, openApi, routes } from '@watchpost/contract'
import type { FastifyInstance } from 'fastify'
import { entityTag } from '../http/etag.ts'
import { Prepared } from '../http/handler.ts'
import { sendTagged } from '../http/reply.ts'
import { version } from '../version.ts'

/** `/openapi.json`: the contract as a document. The same for everybody and as long as the server runs: not counted. */
export function registerDocument(app: FastifyInstance): void {
  const options = Object.fromEntries(checkTypes.map(type => [type, optionsSchema(type)]))
  const body = Buffer.from(JSON.stringify(openApi(routes, options, version)))
  const document = new Prepared(body, entityTag(body))
  app.get('/openapi.json', async (request, reply) => {
    reply.header('cache-control', 'no-cache')
    return sendTagged(request, reply, document.body, document.tag)
  })
}
