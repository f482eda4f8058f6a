import { checkTypes } from './schema/monitor.ts'
import { MonitorItem, Resources } from './schema/plan.ts'

type Json = Record<string, unknown>

/**
 * JSON Schema of the files that `monitorctl apply` takes, for editors: a string may be a variable wherever a number or a
 * word is asked for, and a value may say of itself that it is a secret.
 * @param options schema of each check type's `options`, by type
 */
export function fileSchema(options: Record<string, unknown>): Json {
  const { properties } = loosened(JSON.parse(JSON.stringify(Resources))) as { properties: Json }
  const monitors = properties.monitors as Json
  const item = monitors.items as Json
  const alike = Map.groupBy(checkTypes, type => JSON.stringify(options[type] ?? {}))
  const byType = [...alike].map(([schema, types]) => ({
    if: { properties: { type: { enum: types } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { options: loosened(JSON.parse(schema)) } },
  }))
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Watchpost monitoring as code',
    type: 'object',
    additionalProperties: false,
    definitions,
    properties: {
      source: { type: 'string', description: 'Who manages what the files make and change; all files say the same.' },
      ...properties,
      monitors: { ...monitors, items: { ...item, title: (MonitorItem as unknown as Json).title, allOf: byType } },
    },
  }
}

const definitions = {
  variable: { type: 'string', pattern: '\\$\\{', description: `\${NAME} or \${NAME:-default}, from the environment.` },
  secret: {
    type: 'object',
    description: 'A value that no plan shows.',
    additionalProperties: false,
    required: ['secret'],
    properties: { secret: { type: 'string' } },
  },
}
const variable = { $ref: '#/definitions/variable' }
const secret = { $ref: '#/definitions/secret' }

/** The schema of what is there before variables are filled in. */
function loosened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(loosened)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      // Examples and defaults are values, not schemas.
      ['examples', 'default', 'enum', 'const', 'required'].includes(key) ? value : loosened(value),
    ]),
  ) as Json
  const { description, type } = inner
  if (!['string', 'integer', 'number', 'boolean'].includes(type as string)) return inner
  const isAnyText = type === 'string' && inner.enum === undefined && inner.pattern === undefined
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: isAnyText ? [inner, secret] : [inner, variable, secret],
  }
}
