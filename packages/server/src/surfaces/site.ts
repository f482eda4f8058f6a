import type { FastifyInstance } from 'fastify'

/** The root of the site: whoever opens the address in a browser is led to the dashboard. */
export function registerSite(app: FastifyInstance): void {
  app.get('/', async (_request, reply) => reply.redirect('/app', 302))
}
