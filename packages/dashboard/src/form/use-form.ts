import { ApiError, type FieldErrors } from '@watchpost/contract'
import { type SyntheticEvent, useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '../core/api.ts'
import { askBeforeLeaving } from '../core/router.tsx'

export interface Form<V extends object> {
  values: V
  set<K extends keyof V>(name: K, value: V[K] | undefined): void
  /** What a field of that name is given. */
  field<K extends keyof V>(name: K): { value: V[K]; error: string | undefined; onChange(value: V[K] | undefined): void }
  reset(values: V): void
  errors: FieldErrors
  /** What is wrong with none of the fields. */
  trouble: string | undefined
  busy: boolean
  dirty: boolean
  /** For the form's onSubmit. */
  submit(event: SyntheticEvent): void
}

/** What is typed into a form, and what the server said to it, field by field. */
export function useForm<V extends object>(first: V, send: (values: V) => Promise<unknown>): Form<V> {
  const [values, setValues] = useState(first)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [trouble, setTrouble] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [dirty, setDirty] = useState(false)
  useEffect(() => {
    if (!dirty || busy) return
    return askBeforeLeaving(() => window.confirm('Leave without saving what you changed?'))
  }, [dirty, busy])

  const refused = useRef<HTMLFormElement>(undefined)
  // Once it is drawn what is wrong: the first such field is gone to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the faults are why
  useEffect(() => {
    refused.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    refused.current = undefined
  }, [errors])

  const set = useCallback<Form<V>['set']>((name, value) => {
    setDirty(true)
    setValues(before => ({ ...before, [name]: value }))
    setErrors(({ [name as string]: _mended, ...others }) => others)
  }, [])
  const field: Form<V>['field'] = name => ({
    value: values[name],
    error: errors[name as string],
    onChange: value => set(name, value),
  })
  const reset = useCallback((next: V) => {
    setValues(next)
    setDirty(false)
  }, [])
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (busy) return
    const form = event.currentTarget as HTMLFormElement
    setBusy(true)
    setTrouble(undefined)
    // Nobody is asked whether to leave what is being saved.
    const stop = askBeforeLeaving(() => true)
    send(values)
      .then(() => {
        setDirty(false)
        setErrors({})
      })
      .catch(error => {
        const said = error instanceof ApiError ? error.errors : {}
        setErrors(said)
        setTrouble(Object.keys(said).length === 0 ? messageOf(error) : undefined)
        refused.current = form
      })
      .finally(() => {
        stop()
        setBusy(false)
      })
  }
  return { values, set, field, reset, errors, trouble, busy, dirty, submit }
}
