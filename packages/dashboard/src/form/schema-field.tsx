import { useState } from 'react'
import { label as labelOf } from '../core/format.ts'
import { Field, Switch } from './field.tsx'
import { kindOf, readList, readPairs, type Schema, textOf, withoutNull } from './schema.ts'
import { VariantField } from './variant-field.tsx'

interface Props {
  name: string
  schema: Schema
  value: unknown
  required: boolean
  error: string | undefined
  onChange: (value: unknown) => void
  label?: string | undefined
  hint?: string | undefined
}

/** One field, as its schema has it: what is said there is neither typed nor explained twice. */
export function SchemaField({ name, schema: whole, value, required, error, onChange, ...own }: Props) {
  const { schema, nullable } = withoutNull(whole)
  const kind = kindOf(schema)
  const label = own.label ?? labelOf(name)
  const hint = own.hint ?? hintOf(schema, kind)
  const [badText, setBadText] = useState<string>()
  const none = nullable ? null : undefined

  if (kind === 'switch') {
    const checked = (value ?? schema.default ?? false) === true
    return <Switch label={label} hint={hint} checked={checked} onChange={onChange} error={error} />
  }
  if (kind === 'choices') {
    return <Choices label={label} hint={hint} schema={schema} value={value} onChange={onChange} error={error} />
  }
  if (kind === 'variants') {
    const variants = schema.anyOf ?? []
    const given = value as Record<string, unknown> | undefined
    return (
      <VariantField label={label} hint={hint} error={error} variants={variants} value={given} onChange={onChange} />
    )
  }
  const fieldProps = { label, hint, required, error: badText === undefined ? error : complaint[kind] }
  if (kind === 'choice') {
    const options = schema.enum ?? []
    return (
      <Field {...fieldProps}>
        {props => (
          <select
            {...props}
            value={String(value ?? (required ? '' : (schema.default ?? '')))}
            onChange={event => onChange(options.find(each => String(each) === event.target.value) ?? none)}
          >
            {schema.default === undefined && <option value="">{required ? 'Choose…' : '–'}</option>}
            {options.map(option => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </select>
        )}
      </Field>
    )
  }
  const type = (text: string) => {
    if (text.trim() === '') {
      setBadText(undefined)
      return onChange(none)
    }
    const read = readText(kind, text, schema)
    setBadText(read === undefined ? text : undefined)
    if (read !== undefined) onChange(read)
  }
  const placeholder = kind === 'pairs' || kind === 'list' ? textOf(kind, firstOf(schema)) : placeholderOf(schema)
  if (kind === 'long' || kind === 'list' || kind === 'pairs' || kind === 'json') {
    return (
      <Field {...fieldProps}>
        {props => (
          <TextArea
            {...props}
            kind={kind}
            given={value}
            schema={schema}
            onType={type}
            placeholder={placeholder}
            required={required}
          />
        )}
      </Field>
    )
  }
  return (
    <Field {...fieldProps}>
      {props => (
        <input
          {...props}
          type={kind === 'number' ? 'number' : kind === 'time' ? 'datetime-local' : 'text'}
          required={required}
          {...(kind === 'number' ? { min: schema.minimum, max: schema.maximum, step: 'any' } : {})}
          {...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength })}
          placeholder={placeholder}
          value={badText ?? textOf(kind, value)}
          onChange={event => type(event.target.value)}
          autoComplete="off"
        />
      )}
    </Field>
  )
}

interface AreaProps {
  kind: 'long' | 'list' | 'pairs' | 'json'
  given: unknown
  schema: Schema
  onType: (text: string) => void
  placeholder: string
  required: boolean
}

/** Keeps what is typed as it is typed: half a pair is none yet. */
function TextArea({ kind, given, schema, onType, ...props }: AreaProps) {
  const [text, setText] = useState(() => textOf(kind, given))
  const lines = kind === 'long' ? 3 : Math.min(10, Math.max(2, text.split('\n').length))
  return (
    <textarea
      {...props}
      rows={lines}
      className={kind === 'long' ? '' : 'code'}
      {...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength })}
      value={text}
      onChange={event => {
        setText(event.target.value)
        onType(event.target.value)
      }}
    />
  )
}

function Choices(props: {
  label: string
  hint: string | undefined
  schema: Schema
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}) {
  const chosen = (props.value ?? []) as (string | number)[]
  const options = props.schema.items?.enum ?? []
  return (
    <fieldset className="field choices">
      <legend>{props.label}</legend>
      <div className="choices-list">
        {options.map(option => (
          <label key={option} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={event =>
                props.onChange(event.target.checked ? [...chosen, option] : chosen.filter(each => each !== option))
              }
            />
            {option}
          </label>
        ))}
      </div>
      {props.error !== undefined && <p className="field-error">{props.error}</p>}
      {props.hint !== undefined && <p className="hint">{props.hint}</p>}
    </fieldset>
  )
}

const complaint: Record<string, string> = {
  json: 'is not JSON yet',
  pairs: 'wants a line for each: Name: value',
  number: 'must be a number',
}

function readText(kind: string, text: string, schema: Schema): unknown {
  switch (kind) {
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : undefined
    case 'time':
      return Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString()
    case 'word':
      return /^\d+$/.test(text.trim()) ? Number(text) : text.trim()
    case 'list':
      return readList(text, schema.items)
    case 'pairs':
      return readPairs(text)
    case 'json':
      try {
        return JSON.parse(text)
      } catch {
        return undefined
      }
    default:
      return text
  }
}

/** What a field of several lines holds where nothing is said, or might hold. */
function firstOf({ default: usual, examples }: Schema): unknown {
  return Array.isArray(usual) && usual.length > 0 ? usual : examples?.[0]
}

function placeholderOf({ default: usual, examples, type }: Schema): string {
  if (usual !== undefined && (!Array.isArray(usual) || usual.length > 0)) {
    return Array.isArray(usual) ? usual.join(', ') : String(usual)
  }
  const [example] = examples ?? []
  if (example === undefined) return ''
  if (type === 'array' || type === 'object' || type === undefined) return JSON.stringify(example)
  return String(example)
}

function hintOf({ description, items }: Schema, kind: string): string | undefined {
  const how =
    kind === 'list' && items?.enum === undefined ? ' One a line.' : kind === 'pairs' ? ' Name: value, one a line.' : ''
  const said = description === undefined ? how.trim() : description + how
  // A switch is on or off; what is code in the document is a word here.
  const shown = said
    .replaceAll('`', '')
    .replace(/\b(absent|null)\b/g, 'empty')
    .replace(/^false:/, 'Off:')
    .replace(/^true:/, 'On:')
  return shown === '' ? undefined : shown
}
