import type { TSchema } from 'typebox'
import { envelopeSchema, statusOfEnvelope } from './envelope.ts'
import { ErrorBodySchema } from './error.ts'
import { exampleOf } from './example.ts'
import { otlpRefusals, refusalName, refusalResponses, refusalsOf, rumRefusals } from './refusals.ts'
import type { Route, Routes } from './route.ts'
import { OtlpStatus } from './schema/otlp.ts'
import { QuotaExceeded } from './schema/rum.ts'
import { webhookEvents } from './schema/webhook.ts'

type Json = Record<string, unknown>

/**
 * The OpenAPI 3.1 document of a table of routes.
 * @param options schema of each check type's `options`, by type: the contract does not know the types' settings
 */
export function openApi(routes: Routes, options: Record<string, TSchema>, version: string): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const [name, entry] of Object.entries(routes)) {
    const others = paths[entry.path] ?? {}
    paths[entry.path] = { ...others, [entry.method.toLowerCase()]: operation(name, entry, components) }
  }
  for (const [type, schema] of Object.entries(options)) components[`${type}Options`] = plain(schema, {})
  return {
    openapi: '3.1.0',
    info: { title: 'Watchpost', version, description: 'Monitors, probes, status pages and alerts.' },
    servers: [{ url: '/' }],
    paths,
    webhooks: Object.fromEntries(
      Object.entries(webhookEvents).map(([event, schema]) => [event, webhook(schema, components)]),
    ),
    components: {
      responses: {
        ...refusalResponses(plain(ErrorBodySchema, components)),
        ...otlpRefusals(plain(OtlpStatus, components)),
        ...rumRefusals(plain(ErrorBodySchema, components), plain(QuotaExceeded, components)),
      },
      schemas: components,
      securitySchemes: {
        apiToken: { type: 'http', scheme: 'bearer', description: 'API token, `wp_api_…`' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-watchpost',
          description: '`watchpost` where the site is plain http. A write also needs the header `X-CSRF-Token`.',
        },
        appToken: { type: 'apiKey', in: 'header', name: 'X-App-Token', description: 'App token, `wp_app_…`' },
        rumKey: { type: 'apiKey', in: 'query', name: 'api_key', description: 'RUM key, `wp_rum_…`' },
        probeToken: { type: 'http', scheme: 'bearer', description: 'Probe token, `wp_probe_…`' },
      },
    },
  }
}

const security = {
  user: [{ apiToken: [] }, { session: [] }],
  probe: [{ probeToken: [] }],
  session: [{ session: [] }],
  public: [],
  login: [],
  registration: [],
  invitation: [],
  subscription: [],
  otlp: [{ appToken: [] }],
  rum: [{ rumKey: [] }],
}

function operation(name: string, entry: Route, components: Json): Json {
  return {
    operationId: name,
    summary: entry.summary,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    tags: [tagOf(entry)],
    security: security[entry.surface],
    parameters: [...pathParameters(entry), ...queryParameters(entry), ...headerParameters(entry)],
    ...(entry.body === undefined
      ? {}
      : { requestBody: { required: true, content: bodyOf(entry, entry.body, components) } }),
    ...(entry.role === undefined ? {} : { 'x-role': entry.role }),
    ...(entry.scope === undefined ? {} : { 'x-scope': entry.scope }),
    responses: {
      [statusOfEnvelope[entry.envelope]]: success(entry, components),
      ...(isTagged(entry) ? { 304: { description: 'What `If-None-Match` names is what would be answered.' } } : {}),
      ...Object.fromEntries(
        refusalsOf(entry).map(status => [status, { $ref: `#/components/responses/${refusalName(status, entry)}` }]),
      ),
    },
  }
}

function success(entry: Route, components: Json): Json {
  const content =
    entry.produces === undefined
      ? json(envelopeSchema(entry.envelope, entry.reply), components)
      : { [entry.produces]: { schema: plain(entry.reply, components) } }
  const tag = { ETag: { description: 'For `If-None-Match` and `If-Match`.', schema: { type: 'string' } } }
  return { description: entry.message ?? 'Success', ...(isTagged(entry) ? { headers: tag } : {}), content }
}

/** Forms are what pages send. OTLP comes in two encodings; only one of them has a schema here. What browsers tell is text, too. */
function bodyOf(entry: Route, body: TSchema, components: Json): Json {
  if (entry.takes !== undefined) return { [entry.takes]: { schema: plain(body, components) } }
  const binary = { schema: { type: 'string', format: 'binary' } }
  const content = json(body, components)
  if (entry.surface === 'rum') return { ...content, 'text/plain': content['application/json'] }
  return entry.surface === 'otlp' ? { ...content, 'application/x-protobuf': binary } : content
}

/** A schema, and an example of it. */
function json(schema: TSchema, components: Json): Json {
  return { 'application/json': { schema: plain(schema, components), example: exampleOf(schema) } }
}

/** Reads that can be compared with what the client holds. */
function isTagged(entry: Route): boolean {
  if (entry.method !== 'GET' || entry.surface === 'probe') return false
  // What is public is computed once for all, be it JSON or not.
  return entry.produces === undefined || entry.surface === 'public'
}

/** `/v1/status-pages/{id}` is about status-pages. */
function tagOf(entry: Route): string {
  const [, first = '', second = '', third = ''] = entry.path.split('/')
  if (entry.surface !== 'user') return entry.surface
  return first === 'api' ? third || second : second
}

function pathParameters(entry: Route): Json[] {
  return [...entry.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema:
      name !== 'delivery_id' && /^(id|\w+_id)$/.test(name ?? '') ? { type: 'integer', minimum: 1 } : { type: 'string' },
  }))
}

function headerParameters(entry: Route): Json[] {
  if (entry.surface !== 'user' && !isTagged(entry)) return []
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  })
  if (entry.changesNothing === true) return []
  if (entry.method === 'POST') return [header('Idempotency-Key', 'Sent again within 24 hours, it takes effect once.')]
  if (entry.method === 'GET') return isTagged(entry) ? [header('If-None-Match', 'Tags of what the client holds.')] : []
  return [header('If-Match', 'Tag of what was read; refused with 412 where it has changed since.')]
}

function queryParameters(entry: Route): Json[] {
  const properties = (entry.query as { properties?: Record<string, Json> } | undefined)?.properties ?? {}
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    schema,
  }))
}

function webhook(schema: TSchema, components: Json): Json {
  return {
    post: {
      summary: 'Sent with the headers of Standard Webhooks; any 2xx is an acknowledgement.',
      requestBody: { required: true, content: json(schema, components) },
      responses: { '2XX': { description: 'Received' } },
    },
  }
}

/** The schema as plain JSON, titled parts moved to `components` and referred to. */
function plain(schema: unknown, components: Json): unknown {
  if (Array.isArray(schema)) return schema.map(each => plain(each, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, plain(value, components)]))
  const { title } = copy
  // A property may itself be called title; only a schema's own title is a string.
  if (typeof title !== 'string' || copy.type !== 'object') return copy
  components[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}
