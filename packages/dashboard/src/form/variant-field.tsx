import { label as labelOf } from '../core/format.ts'
import { Field } from './field.tsx'
import { kindName, type Schema } from './schema.ts'

/** What nobody should read over a shoulder. */
const secret = /password|token|secret/

/** One of several kinds of thing, each with fields of its own: how one logs in to the target. */
export function VariantField(props: {
  label: string
  hint: string | undefined
  error: string | undefined
  variants: Schema[]
  value: Record<string, unknown> | undefined
  onChange: (value: Record<string, unknown> | undefined) => void
}) {
  const { label, hint, error, variants, value, onChange } = props
  const chosen = variants.find(each => kindName(each) === value?.type)
  const fields = Object.keys(chosen?.properties ?? {}).filter(name => name !== 'type')
  return (
    <>
      <Field label={label} hint={hint} error={error}>
        {given => (
          <select
            {...given}
            value={String(value?.type ?? '')}
            onChange={event => onChange(event.target.value === '' ? undefined : { type: event.target.value })}
          >
            <option value="">none</option>
            {variants.map(each => (
              <option key={kindName(each)}>{kindName(each)}</option>
            ))}
          </select>
        )}
      </Field>
      {fields.map(name => (
        <Field key={name} label={labelOf(name)} required>
          {given => (
            <input
              {...given}
              type={secret.test(name) ? 'password' : 'text'}
              autoComplete={secret.test(name) ? 'new-password' : 'off'}
              value={String(value?.[name] ?? '')}
              onChange={event => onChange({ ...value, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </>
  )
}
