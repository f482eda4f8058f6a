import { ApiError, type FieldErrors, type Route, type Routes, statusOfEnvelope } from '@watchpost/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Context } from '../context.ts'
import { mayActAs } from '../domain/roles.ts'
import { settleForReading } from '../settle-for-reading.ts'
import { type Authenticate, admit, callerOf, type Entrances, isAdmitted } from './admit.ts'
import { auditOf, isAudited } from './audit.ts'
import { addressReader } from './client-address.ts'
import { handlerOf, type Readings, readingsOf, requireMatch } from './conditions.ts'
import type { Ask, Handler, Handlers, UserCaller } from './handler.ts'
import { answerOnce, onceOf } from './idempotency.ts'
import { parseForm, parseObject } from './json.ts'
import { readQuery } from './query.ts'
import { enveloped, send } from './reply.ts'
import { requestDb } from './request-db.ts'
import type { RouteConfig } from './route-config.ts'
import { compileValidator, refuse, type Validator } from './validate.ts'

/**
 * Puts a table of routes on the server: what is asked, in the order of judgement 401, 429, 404, 403, 400, 422 (ruling 3,
 * 18), then 412, then the handler, then the envelope. Nothing but the table decides what is validated.
 */
export function registerRoutes<T extends Routes>(
  app: FastifyInstance,
  table: T,
  handlers: Handlers<T>,
  entrances: Entrances,
  context: Context,
): void {
  app.decorateRequest('caller', null)
  const readings = readingsOf(table, handlers)
  for (const [name, entry] of Object.entries(table)) {
    const { authenticate } = entrances[entry.surface as keyof Entrances]
    const answer = answerOf(name, entry, handlerOf(handlers, name), context, readings, authenticate)
    const url = entry.path.replace(/\{(\w+)\}/g, ':$1')
    // Whoever has a credential is a program, which reads why it is refused.
    const produces = entry.surface === 'user' ? undefined : entry.produces
    const config: RouteConfig = { produces, takes: entry.takes, isPublic: entry.surface === 'public' }
    app.route({
      method: entry.method,
      url,
      onRequest: admit(entry, entrances, context.config.hosts),
      handler: answer,
      ...(entry.largestBody === undefined ? {} : { bodyLimit: entry.largestBody }),
      config,
      // A stream has no length to tell, and no end to wait for.
      exposeHeadRoute: entry.method === 'GET' && entry.produces !== 'text/event-stream',
    })
  }
}

function answerOf(
  name: string,
  entry: Route,
  handler: Handler<Route>,
  context: Context,
  readings: Readings,
  authenticate: Authenticate<unknown>,
) {
  const body = entry.body === undefined ? undefined : bodyReader(entry, entry.body)
  const query = entry.query === undefined ? undefined : compileValidator(entry.query)
  const audits = isAudited(entry)
  const addressOf = addressReader(context)
  const reads = entry.method === 'GET' || entry.changesNothing === true
  const changes = entry.method === 'PUT' || entry.method === 'PATCH' || entry.method === 'DELETE'

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callerOf(request)
    // PostgreSQL cannot keep this character, so nothing can be called by it.
    if (request.url.includes('%00')) throw new ApiError('not_found', 'Not found')
    const params = request.params as Record<string, string>
    const stillMay = () => isAdmitted(authenticate, request, reply)
    const isGone = () => reply.raw.destroyed
    const head = { params, headers: request.headers, stillMay, isGone, caller, context } as Ask<Route>
    // What was acknowledged is seen. Probes are not shown what results do, and what is public is prepared.
    if (entry.surface === 'user') await (reads ? settleForReading(context.results) : context.results.settle())
    const found = handler.find === undefined ? undefined : await handler.find(head)
    if (handler.find !== undefined && found === undefined) throw new ApiError('not_found', 'Not found')
    if (entry.surface === 'user') authorize(entry, caller as UserCaller)

    const ask: Ask<Route> = {
      ...head,
      query: query === undefined ? {} : checkedQuery(request, entry, query),
    } as Ask<Route>
    if (body !== undefined) {
      ask.body = body(request.body as Buffer | undefined, part => handler.judge?.(part, found) ?? {}) as never
    }
    const match = changes ? request.headers['if-match'] : undefined
    if (match !== undefined) await requireMatch(readings, entry.path, match, head)
    const once = onceOf(request, entry, ask.body, caller, context)
    const asked = { operation: name, entry, request, caller, found, body: ask.body as object | undefined }
    const audit = audits ? auditOf(context, { ...asked, address: addressOf(request) }) : undefined
    const exact = match !== undefined
    if (exact || audit !== undefined || once !== undefined) {
      const db = requestDb(context.db, { exact, audit, claim: once?.claim ?? [] })
      ask.context = { ...context, db, ...(exact ? { exact } : {}), ...(audit === undefined ? {} : { audit }) }
    }
    if (once !== undefined) {
      return answerOnce(once, reply, async () => {
        const body = enveloped(entry, await handler.handle(ask, found as never), ask, request.url)
        return { status: statusOfEnvelope[entry.envelope], body: JSON.stringify(body) }
      })
    }
    const answer = await handler.handle(ask, found as never)
    const version = found === undefined ? undefined : handler.version?.(found)
    return send(request, reply, entry, answer, ask, version)
  }
}

/** Role and scope of the caller (ruling 16, 17); of the caller's own team only, others have got 404 by now. */
function authorize(entry: Route, caller: UserCaller): void {
  if (entry.role !== undefined && !mayActAs(caller.role, entry.role)) {
    throw new ApiError('forbidden', `Your role is ${caller.role}; this needs ${entry.role} or above`)
  }
  if (entry.scope !== undefined && !caller.scopes.includes(entry.scope)) {
    throw new ApiError('forbidden', `This token was made without the scope ${entry.scope}`)
  }
}

function checkedQuery(request: FastifyRequest, entry: Route, validator: Validator): object {
  const query = readQuery(request.query as Record<string, unknown>, entry.query as TSchema)
  refuse(validator.errors(query))
  return query
}

function bodyReader(entry: Route, schema: TSchema) {
  const validator = compileValidator(schema)
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] }
  const readOnly = Object.keys(propertiesOf(entry.reply)).filter(name => !(name in properties))

  return (bytes: Buffer | undefined, judge: (body: never) => FieldErrors): unknown => {
    const body = entry.takes === undefined ? parseObject(bytes, entry.surface === 'probe') : parseForm(bytes)
    // What a read returned may be sent back: GET, change, PUT (ruling 3).
    for (const name of readOnly) delete body[name]
    if (required.length > 0 && !required.some(name => name in body)) {
      throw new ApiError('bad_request', `The body holds none of the required fields: ${required.join(', ')}`)
    }
    refuse({ ...judge(body as never), ...validator.errors(body) })
    return body
  }
}

function propertiesOf(schema: TSchema): object {
  return (schema as { properties?: object }).properties ?? {}
}
