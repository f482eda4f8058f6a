import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'

type Schema = Record<string, unknown>
interface Response {
  $ref?: string
  content?: Record<string, { schema: Schema }>
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

/** What a server says of its answers, ready to be held to it. */
interface Judge {
  document: Document
  ajv: InstanceType<typeof Ajv2020.default>
  paths: { pattern: RegExp; path: string }[]
  /** Compiled once for all answers of an operation with a status: that costs more than any request. */
  validators: Map<Response, ValidateFunction>
}

const judges = new Map<string, Promise<Judge | undefined>>()
/** By the text of their document: the servers of one build share it. */
const judgesOfDocuments = new Map<string, Judge>()

/**
 * Holds an answer to the document that the same server publishes: status, and every field of the body; one that the
 * document does not know is a fault.
 */
export async function judgeAnswer(
  url: string,
  method: string,
  path: string,
  status: number,
  body: unknown,
): Promise<void> {
  let judge = judges.get(url)
  if (judge === undefined) {
    judge = readDocument(url)
    judges.set(url, judge)
  }
  const known = await judge
  if (known === undefined) return
  const fault = faultOf(known, method, path.split('?', 1)[0] as string, status, body)
  if (fault !== undefined) throw new Error(`${method} ${path} ${status} is not what /openapi.json says: ${fault}`)
}

/** @returns undefined where there is none: other addresses than the main one */
async function readDocument(url: string): Promise<Judge | undefined> {
  const response = await fetch(`${url}/openapi.json`)
  if (!response.ok) return undefined
  const text = await response.text()
  const known = judgesOfDocuments.get(text)
  if (known !== undefined) return known
  const document = JSON.parse(text) as Document
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'document', components: { schemas: closed(document.components.schemas) } })
  const paths = Object.keys(document.paths).map(path => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const judge: Judge = { document, ajv, paths, validators: new Map() }
  judgesOfDocuments.set(text, judge)
  return judge
}

const unrouted: Response = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }

function faultOf(
  { document, ajv, paths, validators }: Judge,
  method: string,
  path: string,
  status: number,
  body: unknown,
) {
  const known = paths.find(({ pattern }) => pattern.test(path))?.path
  const operation = known === undefined ? undefined : document.paths[known]?.[method.toLowerCase()]
  // Health and the document itself are no part of it.
  if (operation === undefined && status < 400) return undefined
  // What no route answers is refused in the one shape.
  const said = operation === undefined ? unrouted : operation.responses[status]
  if (said === undefined) return `${status} is not among ${Object.keys(operation?.responses ?? {}).join(', ')}`
  const response = said.$ref === undefined ? said : document.components.responses[said.$ref.split('/').at(-1) as string]
  const schema = response?.content?.['application/json']?.schema
  if (response === undefined || schema === undefined || typeof body === 'string') return undefined
  let validate = validators.get(response)
  if (validate === undefined) {
    validate = ajv.compile(local(closed(schema)))
    validators.set(response, validate)
  }
  return validate(body) ? undefined : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 500)}`
}

const local = (schema: unknown): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))

/** The same schema, refusing fields it does not name. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.entries(schema).map(([key, part]) => [key, closed(part)])
  const copy = Object.fromEntries(parts)
  const isObject = copy.type === 'object' && typeof copy.properties === 'object'
  return isObject && copy.additionalProperties === undefined ? { ...copy, additionalProperties: false } : copy
}
