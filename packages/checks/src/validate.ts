import { verdictOptions } from '@watchpost/contract'
import Type, { type TObject, type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { CheckType } from './check-type.ts'
import { targetMessage } from './target.ts'

type Facts = TSchema & Record<string, unknown>

/** Schema of everything that `options` may hold for a type: its own and those every type has. */
export function mergedOptions(type: CheckType): TObject {
  return Type.Object({ ...type.options.properties, ...verdictOptions }, { additionalProperties: false })
}

/** Judges target and options: field → message that names the mend, every failing field, empty when all is fine. */
export function validator(type: CheckType): (target: unknown, options: unknown) => Record<string, string> {
  const properties: Record<string, TSchema> = mergedOptions(type).properties
  return (target, options = {}) => {
    const errors: Record<string, string> = {}
    const wrongTarget = judgeTarget(type, target)
    if (wrongTarget) errors.target = wrongTarget
    if (typeof options !== 'object' || options === null || Array.isArray(options)) {
      return { ...errors, options: 'must be an object' }
    }
    // One by one: the errors of a whole schema are cut off after the first few.
    const fitting: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(options)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!property) errors[`options.${name}`] = 'unknown option'
      else if (!Check(property, value)) errors[`options.${name}`] = mend(property as Facts, value)
      else fitting[name] = value
    }
    for (const [name, message] of Object.entries(type.judgeOptions?.(fitting) ?? {})) {
      if (message !== null) errors[`options.${name}`] = message
    }
    return errors
  }
}

function judgeTarget(type: CheckType, target: unknown): string | null {
  return typeof target === 'string' ? targetMessage(() => type.parseTarget(target)) : 'must be a string'
}

/** What to write instead, read off the schema. */
function mend(schema: Facts, value: unknown): string {
  const { minimum, maximum, minLength, maxLength } = schema
  if (Array.isArray(schema.enum)) return `must be one of ${schema.enum.join(', ')}`
  // A choice between words and numbers.
  if (Array.isArray(schema.anyOf) && schema.anyOf.some(each => Array.isArray(each.enum)))
    return `must be ${examplesOf(schema)}`
  switch (schema.type) {
    case 'integer':
    case 'number': {
      const isKind = schema.type === 'integer' ? Number.isInteger(value) : typeof value === 'number'
      const range = minimum !== undefined && maximum !== undefined ? ` between ${minimum} and ${maximum}` : ''
      return isKind ? `must be${range}` : `must be a ${schema.type === 'integer' ? 'whole number' : 'number'}${range}`
    }
    case 'boolean':
      return 'must be true or false'
    case 'string':
      if (typeof value !== 'string') return 'must be a string'
      return value.length < Number(minLength ?? 0) ? 'must not be empty' : `must have at most ${maxLength} characters`
    default:
      return `must be ${schema.type === 'array' ? 'a list' : 'an object'} such as ${examplesOf(schema)}`
  }
}

const examplesOf = (schema: Facts) =>
  ((schema.examples as unknown[] | undefined) ?? []).map(example => JSON.stringify(example)).join(' or ')
