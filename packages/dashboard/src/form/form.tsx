import { type ReactNode, useEffect, useRef } from 'react'
import { label } from '../core/format.ts'
import { Button } from '../ui/button.tsx'
import type { Form as FormState } from './use-form.ts'

/** A form with its button, and what the server said that belongs to no field. */
export function Form<V extends object>(props: {
  form: FormState<V>
  action: string
  children: ReactNode
  more?: ReactNode
  onCancel?: (() => void) | undefined
  /** Whether one came to fill it in. */
  fresh?: boolean
}) {
  const { form, action, children, more, onCancel, fresh = false } = props
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (fresh) ref.current?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }, [fresh])
  return (
    <form ref={ref} className="stack" onSubmit={form.submit} noValidate>
      {children}
      {form.trouble !== undefined && (
        <p className="notice danger" role="alert">
          {form.trouble}
        </p>
      )}
      {Object.keys(form.errors).length > 0 && (
        <p className="notice danger" role="alert">
          {Object.entries(form.errors)
            .map(([name, error]) => `${label(lastWord(name))} ${error}`)
            .join(' · ')}
        </p>
      )}
      <div className="actions">
        <Button type="submit" kind="primary" busy={form.busy}>
          {action}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        {more}
      </div>
    </form>
  )
}

/** The field that a fault is in: `options.regions.0` is one of the regions. */
const lastWord = (name: string): string => name.split('.').findLast(part => !/^\d+$/.test(part)) ?? name
