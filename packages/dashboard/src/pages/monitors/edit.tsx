import { type CheckTypeName, checkTypes, type Monitor, type MonitorTest, MonitorWrite } from '@watchpost/contract'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, keep, useQuery } from '../../core/cache.ts'
import { monitors } from '../../core/monitors.ts'
import { navigate, useLocation } from '../../core/router.tsx'
import { SelectField, TextField } from '../../form/field.tsx'
import { Form } from '../../form/form.tsx'
import { RegionPicker } from '../../form/region-picker.tsx'
import { asSchema, type Schema } from '../../form/schema.ts'
import { errorOf, SchemaFields } from '../../form/schema-form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded, Skeleton } from '../../ui/state.tsx'
import { guessType } from './first.tsx'
import { TryButton, TryResult, useTrial } from './try.tsx'

const placeholders: Record<string, string> = {
  http: 'http://example.com/',
  https: 'https://example.com/',
  ping: 'example.com',
  tcp: 'example.com:5432',
  ssl: 'example.com',
  dns: 'example.com',
}

export function NewMonitor() {
  const like = useLocation().query.get('like')
  return (
    <Page title="New monitor" back={{ to: '/monitors', label: 'Monitors' }}>
      {like === null ? <MonitorForm /> : <Copied id={like} />}
    </Page>
  )
}

/** Begins with what another one is. */
function Copied({ id }: { id: string }) {
  const known = useQuery(`monitor/${id}/`, async () => (await api.getMonitor({ params: { id } })).data)
  return <Loaded of={known}>{monitor => <MonitorForm like={monitor} />}</Loaded>
}

export function EditMonitor({ id }: { id: string }) {
  const known = useQuery(`monitor/${id}/`, async () => (await api.getMonitor({ params: { id } })).data)
  return (
    <Page title="Edit monitor" back={{ to: `/monitors/${id}`, label: known.data?.name ?? 'Monitor' }}>
      <Loaded of={known}>{monitor => <MonitorForm monitor={monitor} />}</Loaded>
    </Page>
  )
}

/** The settings of each check type, as the server describes them: a new type needs nothing here. */
function useOptionsSchema(type: string) {
  const known = useQuery('openapi', async () => {
    const response = await fetch('/openapi.json')
    if (!response.ok) throw new Error(`The server answered ${response.status}`)
    return (await response.json()) as { components: { schemas: Record<string, Schema> } }
  })
  return { known, schema: known.data?.components.schemas[`${type}Options`] }
}

/** Options that say how sure one must be, and what a verdict does; the others say how to look. */
const judging = ['confirmations', 'retry_interval', 'auto_incident', 'reminder_interval', 'regions', 'quorum']

type Values = Partial<MonitorWrite> & {
  name: string
  target: string
  type: CheckTypeName
  options: Record<string, unknown>
}

const nothing: Values = { name: '', target: '', type: 'https', options: {} }

function valuesOf(monitor: Monitor): Values {
  const { name, target, type, interval, timeout, method, ssl_verify, is_active, options } = monitor
  const settings = { interval, timeout, method, ssl_verify, is_active }
  return { name, target, type: type as CheckTypeName, ...settings, options: options as Record<string, unknown> }
}

/** @param like what a new one begins with */
function MonitorForm({ monitor, like }: { monitor?: Monitor; like?: Monitor }) {
  const model = monitor ?? like
  const [typeChosen, setTypeChosen] = useState(model !== undefined)
  const usual = model === undefined ? nothing : valuesOf(model)
  const first = like === undefined ? usual : { ...usual, name: `${like.name} (copy)`.slice(0, 255) }
  const form = useForm<Values>(first, async values => {
    const body = cleaned(values)
    if (monitor === undefined) {
      const { data } = await api.createMonitor({ body })
      monitors.put(data)
      return navigate(`/monitors/${data.id}`)
    }
    const { target, type, timeout, method, ssl_verify, ...own } = body
    const patch = type === ('server' as string) ? own : { ...own, target, timeout, method, ssl_verify }
    const { data } = await api.updateMonitor({ params: { id: monitor.id }, body: patch as MonitorWrite })
    monitors.put(data)
    keep(`monitor/${monitor.id}/`, data)
    invalidate(`monitor/${monitor.id}/`)
    navigate(`/monitors/${monitor.id}`)
  })
  const { values, errors, set } = form
  const trial = useTrial()
  const { known, schema: options } = useOptionsSchema(values.type)
  const isHttp = values.type === 'http' || values.type === 'https'
  const setOption = (name: string, value: unknown) => {
    const { [name]: _old, ...others } = values.options
    set('options', value === undefined || value === null ? others : { ...others, [name]: value })
  }
  const names = Object.keys(options?.properties ?? {})
  const isOpen = (some: string[]) =>
    some.some(name => name in first.options || Object.keys(errors).some(field => field.startsWith(`options.${name}`)))
  const isServer = monitor?.type === 'server'
  const isEncrypted = ['https', 'ssl'].includes(values.type)
  const settings = isServer
    ? ['interval', 'is_active']
    : ['interval', 'timeout', ...(isHttp ? ['method'] : []), ...(isEncrypted ? ['ssl_verify'] : []), 'is_active']
  return (
    <Form
      form={form}
      action={monitor === undefined ? 'Create and watch' : 'Save'}
      onCancel={() => navigate(monitor === undefined ? '/monitors' : `/monitors/${monitor.id}`)}
      more={!isServer && <TryButton trial={trial} of={() => testOf(cleaned(values))} />}
    >
      <Card title="What to watch">
        <div className="fields">
          <div className="wide-field">
            {isServer ? (
              <p className="quiet">The machine of a probe: the probe tells how it is, nobody has to be sent to look.</p>
            ) : (
              <TextField
                label="Target"
                autoFocus={monitor === undefined}
                placeholder={placeholders[values.type] ?? 'example.com'}
                hint="A URL for http and https, host:port for tcp, a host name or address for the others."
                value={values.target}
                error={errors.target}
                onChange={target => {
                  set('target', target)
                  if (!typeChosen && target.length > 8) set('type', guessType(target.trim()))
                }}
              />
            )}
          </div>
          {monitor === undefined ? (
            <SelectField
              label="Type"
              value={values.type}
              options={checkTypes}
              error={errors.type}
              hint="Follows the target until you choose."
              onChange={type => {
                setTypeChosen(true)
                set('type', type)
                // What one type can be told means nothing to another.
                set('options', {})
              }}
            />
          ) : (
            <div className="field">
              <span className="label">Type</span>
              <span className="quiet">{values.type}; it cannot change</span>
            </div>
          )}
          <TextField
            label="Name"
            placeholder="Shop front"
            value={values.name}
            error={errors.name}
            onChange={name => set('name', name)}
            {...(monitor === undefined ? { hint: 'The target, if you leave it empty.', required: false } : {})}
          />
          <SchemaFields
            schema={asSchema(MonitorWrite)}
            names={settings}
            values={values}
            errors={errors}
            onChange={(name, value) => set(name as keyof Values, value as never)}
            labels={{ is_active: 'Shown on status pages', ssl_verify: 'Verify certificates' }}
          />
        </div>
      </Card>
      {options === undefined ? (
        known.error === undefined ? (
          <Skeleton lines={4} />
        ) : (
          <Loaded of={known}>{() => null}</Loaded>
        )
      ) : (
        <>
          <Section title={`How to look: ${values.type}`} open={isOpen(names.filter(name => !judging.includes(name)))}>
            <div className="fields">
              <SchemaFields
                key={values.type}
                schema={options}
                names={names.filter(name => !judging.includes(name))}
                values={values.options}
                errors={errors}
                prefix="options."
                onChange={setOption}
              />
            </div>
          </Section>
          <Section title="How to judge" open={isOpen(names.filter(name => judging.includes(name)))}>
            <div className="fields">
              <SchemaFields
                key={values.type}
                schema={options}
                names={names.filter(name => judging.includes(name))}
                values={values.options}
                errors={errors}
                prefix="options."
                onChange={setOption}
                own={{
                  regions: (
                    <RegionPicker
                      value={(values.options.regions ?? []) as string[]}
                      error={errorOf(errors, 'options.regions')}
                      onChange={regions => setOption('regions', regions)}
                    />
                  ),
                }}
              />
            </div>
          </Section>
        </>
      )}
      <TryResult trial={trial} />
    </Form>
  )
}

/** Settings that most leave alone; open where somebody did not, or where something is wrong. */
function Section({ title, open, children }: { title: string; open: boolean; children: ReactNode }) {
  const [opened, setOpened] = useState(open)
  return (
    <details className="card section" open={opened || open} onToggle={event => setOpened(event.currentTarget.open)}>
      <summary>{title}</summary>
      {children}
    </details>
  )
}

/** As much of it as says how to look. */
function testOf({ target, type, timeout, method, ssl_verify, options }: Values): MonitorTest {
  const said = Object.entries({ timeout, method, ssl_verify, options }).filter(([, value]) => value !== undefined)
  return { target, type, ...Object.fromEntries(said) }
}

/** What was left empty is for the server to decide; a monitor without a name is called by its target. */
function cleaned(values: Values): Values {
  const said = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  const body = Object.fromEntries(said) as Values
  const target = body.target.trim()
  return {
    ...body,
    target,
    name:
      body.name.trim() ||
      target
        .replace(/^https?:\/\//i, '')
        .replace(/\/$/, '')
        .slice(0, 255),
  }
}
