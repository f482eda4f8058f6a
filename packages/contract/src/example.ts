import type { TSchema } from 'typebox'

interface Plain {
  type?: string
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  anyOf?: TSchema[]
  properties?: Record<string, TSchema>
  items?: TSchema
  minimum?: number
  minLength?: number
  minItems?: number
}

/**
 * A value as the schema describes it: its own example, or one put together from those of its parts.
 * Deterministic, so that the document is the same every time.
 */
export function exampleOf(schema: TSchema): unknown {
  const { examples, type, enum: words, anyOf, properties, items, ...rest } = schema as Plain
  if (examples !== undefined) return examples[0]
  if ('const' in rest) return rest.const
  if ('default' in rest) return rest.default
  if (words !== undefined) return words[0]
  if (anyOf !== undefined) return exampleOf(anyOf[0] as TSchema)
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, exampleOf(part)]))
    case 'array':
      return items === undefined ? [] : Array.from({ length: Math.max(1, rest.minItems ?? 1) }, () => exampleOf(items))
    case 'integer':
    case 'number':
      return rest.minimum ?? 0
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return 'text'.padEnd(rest.minLength ?? 0, '.')
  }
}
