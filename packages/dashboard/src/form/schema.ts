/** As much of JSON Schema as our forms read. */
export interface Schema {
  type?: string
  enum?: (string | number)[]
  const?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  default?: unknown
  description?: string
  examples?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

export type Kind =
  | 'switch'
  | 'choice'
  | 'choices'
  | 'number'
  | 'text'
  | 'long'
  | 'time'
  | 'list'
  | 'pairs'
  | 'json'
  /** A word or a number. */
  | 'word'
  /** One of several kinds of thing. */
  | 'variants'

export const asSchema = (schema: object): Schema => schema as Schema

/** A schema without the null it allows. */
export function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const rest = schema.anyOf?.filter(each => each.type !== 'null')
  if (schema.anyOf === undefined || rest?.length === schema.anyOf.length) return { schema, nullable: false }
  const only = rest?.length === 1 ? (rest[0] as Schema) : { ...schema, anyOf: rest }
  return { schema: { ...only, description: only.description ?? schema.description } as Schema, nullable: true }
}

/** How a value of this schema is typed in. */
export function kindOf(schema: Schema): Kind {
  if (schema.enum !== undefined) return 'choice'
  if (schema.anyOf?.every(({ type }) => type === 'string' || type === 'integer')) return 'word'
  if (schema.anyOf?.every(each => kindName(each) !== undefined)) return 'variants'
  switch (schema.type) {
    case 'boolean':
      return 'switch'
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
      if (schema.format === 'date-time') return 'time'
      return (schema.maxLength ?? 0) >= 4000 && schema.pattern === undefined ? 'long' : 'text'
    case 'array':
      if (schema.items?.enum !== undefined) return 'choices'
      return schema.items?.type === 'object' ? 'json' : 'list'
    case 'object':
      return isRecordOfText(schema) ? 'pairs' : 'json'
    default:
      return 'json'
  }
}

/** What an object says it is, where it is one of several. */
export const kindName = ({ properties }: Schema): string | undefined => properties?.type?.const

function isRecordOfText({ properties, patternProperties, additionalProperties }: Schema): boolean {
  if (properties !== undefined) return false
  const values = Object.values(patternProperties ?? {})
  if (typeof additionalProperties === 'object') values.push(additionalProperties)
  return values.length > 0 && values.every(value => value.type === 'string')
}

/** Text to a list: what may be a number, and looks like one, is one. */
export function readList(text: string, items: Schema | undefined): (string | number)[] {
  const takesNumbers = [items, ...(items?.anyOf ?? [])].some(
    each => each?.type === 'integer' || each?.type === 'number',
  )
  return text
    .split(/[\n,]/)
    .map(part => part.trim())
    .filter(part => part !== '')
    .map(part => (takesNumbers && /^-?\d+$/.test(part) ? Number(part) : part))
}

/** Lines `Name: value` to an object; undefined where a line is no such pair. */
export function readPairs(text: string): Record<string, string> | undefined {
  const pairs: Record<string, string> = {}
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const at = line.indexOf(':')
    if (at < 1) return undefined
    pairs[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return pairs
}

/** What a value looks like where it is typed as text. */
export function textOf(kind: Kind, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (kind === 'list') return [value].flat().join('\n')
  if (kind === 'pairs') {
    return Object.entries(value as Record<string, string>)
      .map(([name, said]) => `${name}: ${said}`)
      .join('\n')
  }
  if (kind === 'json') return JSON.stringify(value, null, 2)
  if (kind === 'time') return localTime(String(value))
  return String(value)
}

/** As an input of the browser has it: local, without a zone. */
export function localTime(iso: string): string {
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
