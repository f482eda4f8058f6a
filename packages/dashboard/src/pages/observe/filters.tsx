import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { setQuery, useLocation } from '../../core/router.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Range } from './range.tsx'

/** Attributes that are asked for: each `key=value` of the address's `attr`. */
export function useAttributes(): [attributes: [key: string, value: string][], change: (next: string[]) => void] {
  const { query } = useLocation()
  const said = query.get('attr')?.split('\n').filter(Boolean) ?? []
  const pairs = said.map(each => {
    const at = each.indexOf('=')
    return [each.slice(0, at), each.slice(at + 1)] as [string, string]
  })
  return [pairs, next => setQuery('attr', next.join('\n'))]
}

export const attributeQuery = (attributes: [string, string][]): object =>
  Object.fromEntries(attributes.map(([key, value]) => [`attr.${key}`, value]))

/** Adds one attribute to those that are asked for. */
export function askForAttribute(key: string, value: unknown): void {
  const asked = new URLSearchParams(location.search).get('attr')?.split('\n').filter(Boolean) ?? []
  const pair = `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`
  if (!asked.includes(pair)) setQuery('attr', [...asked, pair].join('\n'))
}

export function AttributeFilter() {
  const [attributes, change] = useAttributes()
  const [text, setText] = useState('')
  const pairs = attributes.map(([key, value]) => `${key}=${value}`)
  return (
    <form
      className="attributes"
      onSubmit={event => {
        event.preventDefault()
        if (text.indexOf('=') < 1) return
        change([...pairs.filter(pair => pair !== text.trim()), text.trim()])
        setText('')
      }}
    >
      {pairs.map(pair => (
        <button
          key={pair}
          type="button"
          className="chip"
          aria-label={`Do not ask for ${pair}`}
          onClick={() => change(pairs.filter(other => other !== pair))}
        >
          {pair}
          <Icon name="close" size={12} />
        </button>
      ))}
      <input
        type="text"
        aria-label="Attribute, key=value; Enter adds it"
        placeholder="attribute=value"
        pattern="[^=]+=.*"
        title="key=value"
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </form>
  )
}

/** A word of the address that is typed: it is asked for when the typing pauses. */
export function QueryInput(props: {
  name: string
  label: string
  placeholder: string
  type?: string
  short?: boolean
}) {
  const { name, label, placeholder, type = 'search', short = false } = props
  const { query } = useLocation()
  const asked = query.get(name) ?? ''
  const [text, setText] = useState(asked)
  useEffect(() => setText(asked), [asked])
  useEffect(() => {
    if (text === asked) return
    const timer = setTimeout(() => setQuery(name, text), 350)
    return () => clearTimeout(timer)
  }, [text, asked, name])
  return (
    <div className={short ? 'search short' : 'search'}>
      <input
        type={type}
        {...(type === 'number' ? { min: 0 } : {})}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </div>
  )
}

export function QuerySelect(props: { name: string; label: string; children: ReactNode }) {
  const { query } = useLocation()
  return (
    <select
      aria-label={props.label}
      value={query.get(props.name) ?? ''}
      onChange={event => setQuery(props.name, event.target.value)}
    >
      {props.children}
    </select>
  )
}

/** Who sent something in this stretch of time. */
export function ServiceSelect({ id, range }: { id: string; range: Range }) {
  const { query } = useLocation()
  const chosen = query.get('service')
  const { data } = useQuery(`app/${id}/services/${range.key}`, async () => {
    return (await api.listServices({ params: { id }, query: range.read() })).data
  })
  const names = data?.map(({ name }) => name) ?? []
  if (chosen !== null && !names.includes(chosen)) names.push(chosen)
  return (
    <QuerySelect name="service" label="Service">
      <option value="">Every service</option>
      {names.map(name => (
        <option key={name}>{name}</option>
      ))}
    </QuerySelect>
  )
}
