import type { FieldErrors } from '@watchpost/contract'
import type { ReactNode } from 'react'
import type { Schema } from './schema.ts'
import { SchemaField } from './schema-field.tsx'

interface Values {
  [name: string]: unknown
}

/**
 * The fields of an object, in the order given.
 * @param names which of them; all if absent
 * @param prefix of their names in the server's errors: `options.`
 * @param own fields that have an input of their own
 */
export function SchemaFields(props: {
  schema: Schema
  values: Values
  errors: FieldErrors
  onChange: (name: string, value: unknown) => void
  names?: string[]
  prefix?: string
  labels?: Record<string, string>
  hints?: Record<string, string>
  own?: Record<string, ReactNode>
}) {
  const { schema, values, errors, onChange, prefix = '', labels = {}, hints = {}, own = {} } = props
  const names = props.names ?? Object.keys(schema.properties ?? {})
  return names.map(name => {
    const field = schema.properties?.[name]
    if (field === undefined) return null
    if (name in own) return <div key={name}>{own[name]}</div>
    return (
      <SchemaField
        key={name}
        name={name}
        schema={field}
        value={values[name]}
        required={schema.required?.includes(name) ?? false}
        error={errorOf(errors, prefix + name)}
        onChange={value => onChange(name, value)}
        label={labels[name]}
        hint={hints[name]}
      />
    )
  })
}

/** What is said of a field, or of something within it. */
export function errorOf(errors: FieldErrors, name: string): string | undefined {
  if (errors[name] !== undefined) return errors[name]
  const within = Object.entries(errors).find(([field]) => field.startsWith(`${name}.`) && name !== 'options')
  return within === undefined ? undefined : `${within[0].slice(name.length + 1)}: ${within[1]}`
}
