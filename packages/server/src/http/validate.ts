import { ApiError, type FieldErrors } from '@watchpost/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'

// All faults at once (specification 7): the default stops at eight.
Settings.Set({ maxErrors: 100 })

export interface Validator {
  /** Field name to message, empty when all is well; nested fields as `theme.primary_color`. */
  errors(value: unknown): FieldErrors
}

/** Prepares the judgement of values by a schema: all faults at once, each under the name of its field. */
export function compileValidator(schema: TSchema): Validator {
  const compiled = Compile(schema)
  return {
    errors(value) {
      if (compiled.Check(value)) return {}
      // Without a prototype: `constructor` is a field like any other.
      const errors: FieldErrors = Object.create(null)
      for (const error of compiled.Errors(value)) {
        for (const [field, message] of describe(error, schema)) errors[field] ??= message
      }
      return errors
    },
  }
}

/** @throws {ApiError} validation_failed when there is any fault */
export function refuse(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', 'Validation failed', { errors })
}

interface Fault {
  keyword: string
  schemaPath: string
  instancePath: string
  params: object
  message: string
}

function describe(fault: Fault, schema: TSchema): [string, string][] {
  const field = fault.instancePath.slice(1).replaceAll('/', '.')
  const under = (name: string) => (field === '' ? name : `${field}.${name}`)
  const params = fault.params as Record<string, unknown>
  switch (fault.keyword) {
    case 'required':
      return (params.requiredProperties as string[]).map(name => [under(name), 'is required'])
    case 'additionalProperties':
      return (params.additionalProperties as string[]).map(name => [under(name), 'unknown field'])
    // Repeats what additionalProperties says, under a name of its own.
    case 'boolean':
      return []
    // The branches have said what is wrong already; that it is not null either is nothing to mend.
    case 'anyOf':
      return []
    case 'type':
      if (params.type === 'null') return []
      break
  }
  return [[field === '' ? 'body' : field, sentence(fault.keyword, params, at(schema, fault.schemaPath))]]
}

function sentence(keyword: string, params: Record<string, unknown>, part: { description?: string }): string {
  const limit = params.limit as number
  switch (keyword) {
    case 'type':
      return `must be ${article([params.type].flat().join(' or '))}`
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minimum':
      return `must be ${limit} or more`
    case 'maximum':
      return `must be ${limit} or less`
    case 'minItems':
      return `must have at least ${limit} ${limit === 1 ? 'entry' : 'entries'}`
    case 'maxItems':
      return `must have at most ${limit} entries`
    case 'uniqueItems':
      return 'must not name the same thing twice'
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'format':
      return 'must be a time in UTC such as 2026-11-21T09:30:00.000Z'
    case 'pattern':
      return part.description === undefined ? 'has the wrong form' : `has the wrong form: ${part.description}`
    default:
      return 'is not valid'
  }
}

function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

/** The piece of the schema that a JSON pointer like `#/properties/name` names. */
function at(schema: TSchema, pointer: string): { description?: string } {
  let part: unknown = schema
  for (const key of pointer.split('/').slice(1)) part = (part as Record<string, unknown> | undefined)?.[key]
  return (part ?? {}) as { description?: string }
}
