import type { CheckTypeName } from '@watchpost/contract'
import type { TObject } from 'typebox'
import { checkTypes } from './check-types.ts'
import { mergedOptions, validator } from './validate.ts'

// A path of its own, `@watchpost/checks/validate`: a probe that runs what the server has judged needs none of it, and the
// library that judges takes more memory than ten thousand monitors.

const validators = new Map<CheckTypeName, ReturnType<typeof validator>>()

/**
 * Judges what a person wrote for a monitor (rulings 6 and 7): field → message, empty when all is fine. Fields are
 * `type`, `target`, `options` and `options.<name>`; a message names the mend ("must be between 1 and 100").
 */
export function validateCheck(check: { type: string; target: unknown; options?: unknown }): Record<string, string> {
  if (!isCheckType(check.type)) return { type: `must be one of ${Object.keys(checkTypes).join(', ')}` }
  const validate = validators.get(check.type) ?? validator(checkTypes[check.type])
  validators.set(check.type, validate)
  return validate(check.target, check.options)
}

/** JSON schema of the `options` of a type, with descriptions and defaults: for the OpenAPI document and for forms. */
export function optionsSchema(type: CheckTypeName): TObject {
  return mergedOptions(checkTypes[type])
}

const isCheckType = (type: string): type is CheckTypeName => Object.hasOwn(checkTypes, type)
