import type { TSchema } from 'typebox'

interface Plain {
  type?: string
}

/** Query parameters as their schemas want them; what cannot be read stays text, for validation to name. */
export function readQuery(raw: Record<string, unknown>, schema: TSchema): Record<string, unknown> {
  const properties = (schema as { properties?: Record<string, Plain> }).properties ?? {}
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [
      name,
      typeof value === 'string' ? read(value, properties[name]) : value,
    ]),
  )
}

function read(text: string, schema: Plain | undefined): unknown {
  if (schema?.type === 'integer' || schema?.type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  if (schema?.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
