import { countTeams } from '@watchpost/store'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'

/** `/healthz`: the process answers. `/readyz`: it can do its work, which is to reach its store. */
export function registerHealth(app: FastifyInstance, context: Context): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    try {
      await context.db.one(countTeams, {})
      return { status: 'ok' }
    } catch (error) {
      request.log.error({ err: error }, 'the store cannot be reached')
      return reply.status(503).send({ status: 'unavailable', reason: 'the store cannot be reached' })
    }
  })
}
