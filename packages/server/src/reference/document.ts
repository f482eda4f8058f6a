/** The parts of an OpenAPI document that the reference shows. */
export interface Document {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> }
}

export interface Operation {
  operationId?: string
  summary: string
  description?: string
  tags?: string[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Answer>
  'x-role'?: string
  'x-scope'?: string
}

export interface Parameter {
  name: string
  in: string
  description?: string
  required?: boolean
  schema: Schema
}

export interface Answer {
  $ref?: string
  description?: string
  content?: Content
}

export type Content = Record<string, { schema: Schema; example?: unknown }>

export interface Schema {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** The schema itself, where it is only referred to. */
export function resolved(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

/** What a value may be, in a few words: `integer, 10 to 86400`. */
export function kindOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) as string
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(kindOf))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.join(', ')
  if (schema.type === 'array') return `array of ${schema.items === undefined ? 'anything' : kindOf(schema.items)}`
  const kind = schema.format === 'date-time' ? 'time, ISO 8601' : (schema.type ?? 'anything')
  const by = schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`
  return [kind, boundsOf(schema), by].filter(part => part !== '').join(', ')
}

function boundsOf({ type, minimum, maximum, minLength, maxLength }: Schema): string {
  const [least, most, unit] = type === 'string' ? [minLength, maxLength, ' characters'] : [minimum, maximum, '']
  const bounded = most !== undefined && most < Number.MAX_SAFE_INTEGER
  if (least !== undefined && bounded) return `${least} to ${most}${unit}`
  if (bounded) return `at most ${most}${unit}`
  return least === undefined ? '' : `at least ${least}${unit}`
}
