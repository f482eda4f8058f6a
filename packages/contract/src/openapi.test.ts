import Ajv2020 from 'ajv/dist/2020.js'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { openApi } from './openapi.ts'
import { routes } from './routes/index.ts'
import { ingestRoutes } from './routes/ingest.ts'
import { otlpRoutes } from './routes/otlp.ts'

const every = { ...routes, ...otlpRoutes, ...ingestRoutes }

type Content = Record<string, { schema: object; example?: unknown }>
interface Operation {
  operationId: string
  security: object[]
  responses: Record<string, { $ref?: string; content?: Content }>
  requestBody?: { content: Content }
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, object>; responses: Record<string, { content: Content }> }
}

const document = openApi(
  every,
  { tcp: Type.Object({ send: Type.Optional(Type.String()) }) },
  '1.2.3',
) as unknown as Document
const operations = Object.values(document.paths).flatMap(path => Object.values(path))

test('every route is an operation, once, under its own name', () => {
  expect(operations.map(operation => operation.operationId).sort()).toEqual(Object.keys(every).sort())
  expect(document.openapi).toBe('3.1.0')
})

test('who may call it is said: a token of the surface, whoever is logged in, or anybody', () => {
  expect(document.paths['/v1/monitors']?.get?.security).toEqual([{ apiToken: [] }, { session: [] }])
  expect(document.paths['/v1/probe/get-checks']?.get?.security).toEqual([{ probeToken: [] }])
  expect(document.paths['/v1/ingest']?.post?.security).toEqual([{ rumKey: [] }])
  expect(document.paths['/api/session']?.get?.security).toEqual([{ session: [] }])
  expect(document.paths['/api/session']?.post?.security).toEqual([])
  expect(document.paths['/api/status/{slug}']?.get?.security).toEqual([])
})

test('a key for a POST that is sent twice is offered where the POST changes something', () => {
  const keyed = (path: string) => JSON.stringify(document.paths[path]?.post).includes('"Idempotency-Key"')
  expect(['/v1/apply', '/v1/monitors', '/v1/incidents'].map(keyed)).toEqual([true, true, true])
  expect(['/v1/plan', '/v1/backtest', '/v1/monitors/test'].map(keyed)).toEqual([false, false, false])
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  const { components } = document as unknown as { components: Record<string, Record<string, object>> }
  expect(references.filter(([, kind, name]) => components[kind as string]?.[name as string] === undefined)).toEqual([])
})

test('every schema is JSON Schema 2020-12, and every example is what its schema says', () => {
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  const webhooks = Object.values(document.webhooks).map(({ post }) => post)
  const contents: [string, Content][] = [...operations, ...webhooks].flatMap(
    ({ operationId, requestBody, responses }) => [
      ...(requestBody === undefined ? [] : [[`${operationId} asks`, requestBody.content] as [string, Content]]),
      ...Object.values(responses).map(({ content = {} }) => [`${operationId} answers`, content] as [string, Content]),
    ],
  )
  for (const [name, { content }] of Object.entries(document.components.responses)) contents.push([name, content])
  for (const [what, content] of contents) {
    for (const { schema, example } of Object.values(content)) {
      const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))
      const validate = ajv.compile(local)
      if (example === undefined) continue
      validate(example)
      expect(validate.errors, `${what}: ${JSON.stringify(example)}`).toBeNull()
    }
  }
})

test('what is asked and answered in JSON has an example', () => {
  const bare = operations.filter(({ requestBody, responses }) =>
    [requestBody?.content, ...Object.values(responses).map(({ content }) => content)].some(
      content => content?.['application/json'] !== undefined && content['application/json'].example === undefined,
    ),
  )
  expect(bare.map(({ operationId }) => operationId)).toEqual([])
})

test('refusals are told by what a route takes', () => {
  const statuses = (path: string, method: string) => Object.keys(document.paths[path]?.[method]?.responses ?? {})
  expect(statuses('/v1/monitors', 'get')).toEqual(['200', '304', '401', '403', '422', '429', '500', '503'])
  expect(statuses('/v1/monitors/{id}', 'patch')).toContain('412')
  expect(statuses('/api/status/{slug}', 'get')).toEqual(['200', '304', '404', '429', '500', '503'])
})

test("a check type's options are a component, and events are webhooks", () => {
  expect(document.components.schemas.tcpOptions).toMatchObject({ properties: { send: { type: 'string' } } })
  expect(Object.keys(document.webhooks)).toContain('monitor.status_changed')
})
