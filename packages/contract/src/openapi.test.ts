import Ajv2020 from 'ajv/dist/2020.js'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { openApi } from './openapi.ts'
import { routes } from './routes/index.ts'

interface Operation {
  operationId: string
  security: object[]
  responses: Record<string, { content: Record<string, { schema: object }> }>
  requestBody?: { content: Record<string, { schema: object }> }
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, object> }
}

const document = openApi(
  routes,
  { tcp: Type.Object({ send: Type.Optional(Type.String()) }) },
  '1.2.3',
) as unknown as Document
const operations = Object.values(document.paths).flatMap(path => Object.values(path))

test('every route is an operation, once, under its own name', () => {
  expect(operations.map(operation => operation.operationId).sort()).toEqual(Object.keys(routes).sort())
  expect(document.openapi).toBe('3.1.0')
})

test('who may call it is said: a token of the surface, whoever is logged in, or anybody', () => {
  expect(document.paths['/v1/monitors']?.get?.security).toEqual([{ apiToken: [] }, { session: [] }])
  expect(document.paths['/v1/probe/get-checks']?.get?.security).toEqual([{ probeToken: [] }])
  expect(document.paths['/api/session']?.get?.security).toEqual([{ session: [] }])
  expect(document.paths['/api/session']?.post?.security).toEqual([])
  expect(document.paths['/api/status/{slug}']?.get?.security).toEqual([])
})

test('every reference leads somewhere, and every schema is JSON Schema 2020-12', () => {
  const schemas = document.components.schemas
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  expect(references.map(([, name]) => name as string).filter(name => !(name in schemas))).toEqual([])

  const ajv = new Ajv2020.default({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  const all = [...operations, ...Object.values(document.webhooks).map(({ post }) => post)]
  for (const { requestBody, responses } of all) {
    for (const { content } of [...(requestBody === undefined ? [] : [requestBody]), ...Object.values(responses)]) {
      for (const { schema } of Object.values(content ?? {})) {
        const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))
        expect(() => ajv.compile(local)).not.toThrow()
      }
    }
  }
})

test("a check type's options are a component, and events are webhooks", () => {
  expect(document.components.schemas.tcpOptions).toMatchObject({ properties: { send: { type: 'string' } } })
  expect(Object.keys(document.webhooks)).toContain('monitor.status_changed')
})
