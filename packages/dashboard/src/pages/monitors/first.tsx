import type { CheckTypeName } from '@watchpost/contract'
import { api } from '../../core/api.ts'
import { monitors } from '../../core/monitors.ts'
import { navigate } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { TextField } from '../../form/field.tsx'
import { Form } from '../../form/form.tsx'
import { useForm } from '../../form/use-form.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/state.tsx'
import { TryButton, TryResult, useTrial } from './try.tsx'

/** What a target says of its type: a URL, host:port, a name. */
export function guessType(target: string): CheckTypeName {
  if (/^https:\/\//i.test(target)) return 'https'
  if (/^http:\/\//i.test(target)) return 'http'
  return /^[^/]+:\d+$/.test(target) ? 'tcp' : 'ping'
}

/** From nothing to the first verdict: one field, one button. */
export function FirstMonitor() {
  const may = useMay()
  const trial = useTrial()
  const form = useForm({ target: '' }, async ({ target: typed }) => {
    const target = typed.trim()
    const name = target.replace(/^https?:\/\//i, '').replace(/\/$/, '')
    const type = guessType(target)
    const { data } = await api.createMonitor({ body: { name: name || target, type, target } })
    monitors.put(data)
    navigate(`/monitors/${data.id}`)
  })
  if (!may('createMonitor')) {
    return (
      <Empty icon="monitors" title="Nothing is watched yet">
        Members of the team can add monitors; you see them here as soon as there are some.
      </Empty>
    )
  }
  return (
    <div className="card">
      <Empty
        icon="monitors"
        title="What shall we watch?"
        action={
          <div className="door-card" style={{ border: 0, boxShadow: 'none', padding: 8 }}>
            <Form
              form={form}
              action="Watch it"
              more={
                <TryButton
                  trial={trial}
                  of={() => ({ target: form.values.target.trim(), type: guessType(form.values.target.trim()) })}
                />
              }
            >
              <TextField
                label="Target"
                placeholder="https://example.com"
                hint="A URL, host:port for TCP, or a name to ping."
                autoFocus
                value={form.values.target}
                error={form.errors.target ?? form.errors.name}
                onChange={value => form.set('target', value)}
              />
            </Form>
            <TryResult trial={trial} />
            <ButtonLink to="/monitors/new" kind="ghost">
              Choose type and options first
            </ButtonLink>
          </div>
        }
      >
        The first check is made at once; you see its result right away.
      </Empty>
    </div>
  )
}
