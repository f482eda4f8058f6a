import { type MaintenanceWindow, MaintenanceWindowWrite, RecurrenceWrite } from '@watchpost/contract'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { navigate } from '../../core/router.tsx'
import { SelectField, Switch } from '../../form/field.tsx'
import { Form } from '../../form/form.tsx'
import { MonitorPicker } from '../../form/monitor-picker.tsx'
import { asSchema } from '../../form/schema.ts'
import { SchemaFields } from '../../form/schema-form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'

const back = { to: '/maintenance', label: 'Maintenance' }

export function NewMaintenance() {
  return (
    <Page title="Plan maintenance" back={back}>
      <WindowForm />
    </Page>
  )
}

export function EditMaintenance({ id }: { id: string }) {
  const known = useQuery(`maintenance/${id}`, async () => (await api.getMaintenanceWindow({ params: { id } })).data)
  return (
    <Page title={known.data?.title ?? 'Maintenance'} back={back}>
      <Loaded of={known}>{window => <WindowForm window={window} />}</Loaded>
    </Page>
  )
}

const repeats = ['once', 'daily', 'weekly', 'monthly'] as const

function WindowForm({ window }: { window?: MaintenanceWindow }) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const hour = Math.ceil(Date.now() / 3_600_000) * 3_600_000
  const first: MaintenanceWindowWrite =
    window === undefined
      ? {
          title: '',
          starts_at: new Date(hour).toISOString(),
          ends_at: new Date(hour + 3_600_000).toISOString(),
          time_zone: here,
        }
      : (({ title, description, monitor_ids, all_monitors, starts_at, ends_at, time_zone, recurrence }) => {
          return { title, description, monitor_ids, all_monitors, starts_at, ends_at, time_zone, recurrence }
        })(window)
  const form = useForm<MaintenanceWindowWrite>(first, async values => {
    const body = Object.fromEntries(
      Object.entries(values).filter(([, value]) => value !== undefined),
    ) as MaintenanceWindowWrite
    if (window === undefined) await api.createMaintenanceWindow({ body })
    else await api.updateMaintenanceWindow({ params: { id: window.id }, body })
    invalidate('maintenance/')
    navigate('/maintenance')
  })
  const { values, errors, set } = form
  const recurrence = values.recurrence ?? null
  const change = (name: string, value: unknown) => set(name as keyof MaintenanceWindowWrite, value as never)
  const fields = { schema: asSchema(MaintenanceWindowWrite), values: values as Record<string, unknown>, errors }
  return (
    <Form
      form={form}
      fresh={window === undefined}
      action={window === undefined ? 'Plan it' : 'Save'}
      onCancel={() => navigate('/maintenance')}
    >
      <Card>
        <div className="stack">
          <SchemaFields {...fields} names={['title', 'description']} onChange={change} />
          <div className="fields">
            <SchemaFields
              {...fields}
              names={['starts_at', 'ends_at', 'time_zone']}
              onChange={change}
              labels={{ starts_at: 'Starts', ends_at: 'Ends' }}
              hints={{
                starts_at: `In your time (${here}).`,
                ends_at: 'At most 30 days after it starts; of the first, where it repeats.',
              }}
            />
            <SelectField
              label="Repeats"
              value={recurrence?.frequency ?? 'once'}
              options={repeats}
              onChange={word => set('recurrence', word === 'once' ? null : { ...recurrence, frequency: word })}
            />
          </div>
          {recurrence !== null && (
            <div className="fields">
              <SchemaFields
                schema={asSchema(RecurrenceWrite)}
                names={[
                  'interval',
                  ...(recurrence.frequency === 'weekly' ? ['weekdays'] : []),
                  ...(recurrence.frequency === 'monthly' ? ['day_of_month'] : []),
                  'until',
                ]}
                values={recurrence as Record<string, unknown>}
                errors={errors}
                prefix="recurrence."
                onChange={(name, value) => set('recurrence', { ...recurrence, [name]: value })}
              />
            </div>
          )}
          <Switch
            label="All monitors"
            hint="Every monitor of the team, later ones too."
            checked={values.all_monitors ?? false}
            onChange={on => set('all_monitors', on)}
          />
          {values.all_monitors !== true && (
            <MonitorPicker
              label="Monitors"
              value={values.monitor_ids ?? []}
              error={errors.monitor_ids}
              onChange={ids => set('monitor_ids', ids)}
            />
          )}
        </div>
      </Card>
    </Form>
  )
}
