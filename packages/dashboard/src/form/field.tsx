import { type ReactNode, useId } from 'react'

export interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  required?: boolean
  /** Gets what names and describes the input. */
  children: (props: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}

/** A label, an input, what it means, and what is wrong with it. */
export function Field({ label, hint, error, required = false, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {!required && <span className="optional"> optional</span>}
      </label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(error === undefined ? {} : { 'aria-invalid': true as const }),
      })}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface TextProps {
  label: string
  value: string | undefined
  onChange: (value: string) => void
  type?: string
  hint?: ReactNode
  error?: string | undefined
  required?: boolean
  autoComplete?: string
  placeholder?: string
  autoFocus?: boolean
  maxLength?: number
}

export function TextField({ label, value, onChange, hint, error, required = true, autoFocus, ...input }: TextProps) {
  return (
    <Field label={label} hint={hint} error={error} required={required}>
      {props => (
        <input
          {...props}
          {...input}
          value={value ?? ''}
          required={required}
          // biome-ignore lint/a11y/noAutofocus: the one field one came for
          autoFocus={autoFocus}
          onChange={event => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

export function SelectField<V extends string | number>(props: {
  label: string
  value: V | undefined
  options: readonly V[] | readonly { value: V; label: string }[]
  onChange: (value: V) => void
  hint?: ReactNode
  error?: string | undefined
}) {
  const { label, value, options, onChange, hint, error } = props
  const all = options.map(option => (typeof option === 'object' ? option : { value: option, label: String(option) }))
  return (
    <Field label={label} hint={hint} error={error} required>
      {given => (
        <select
          {...given}
          value={value}
          onChange={event => {
            const chosen = all.find(option => String(option.value) === event.target.value)
            if (chosen !== undefined) onChange(chosen.value)
          }}
        >
          {all.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function Switch(props: {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (on: boolean) => void
  error?: string | undefined
  disabled?: boolean
}) {
  const id = useId()
  const { label, hint, checked, onChange, error, disabled = false } = props
  return (
    <div className="field switch-field">
      <div className="switch-line">
        <input
          id={id}
          type="checkbox"
          className="switch"
          checked={checked}
          disabled={disabled}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={event => onChange(event.target.checked)}
        />
        <label htmlFor={id}>{label}</label>
      </div>
      {error !== undefined && <p className="field-error">{error}</p>}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
