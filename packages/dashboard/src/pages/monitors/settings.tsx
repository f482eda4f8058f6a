import type { Monitor } from '@watchpost/contract'
import { useMemo } from 'react'
import { label } from '../../core/format.ts'
import { Card } from '../../ui/page.tsx'

/** A setting in words where it is a word or a list of them; without what is nobody's who looks over a shoulder. */
function said(name: string, value: unknown): string {
  if (name === 'headers') return Object.keys(value as object).join(', ')
  if (name === 'auth') {
    const { type, username } = value as { type: string; username?: string }
    return username === undefined ? type : `${type}, as ${username}`
  }
  if (typeof value === 'string') return value
  const words = Array.isArray(value) && value.every(each => typeof each !== 'object')
  return words ? value.join(', ') : JSON.stringify(value)
}

/** How it is looked at, as it is set. */
export function Settings({ monitor }: { monitor: Monitor }) {
  const rows = useMemo(() => {
    const { interval, timeout, method, ssl_verify, is_active, type, options } = monitor
    return Object.entries({
      interval: `${interval} s`,
      timeout: `${timeout} s`,
      ...(type.startsWith('http') ? { method } : {}),
      ...(ssl_verify ? {} : { ssl_verify }),
      ...(is_active ? {} : { is_active }),
      ...options,
    })
  }, [monitor])
  return (
    <Card title="Settings">
      <dl className="settings">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{label(name)}</dt>
            <dd>{said(name, value)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
