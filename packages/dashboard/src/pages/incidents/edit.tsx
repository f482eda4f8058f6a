import { type Incident, IncidentWrite } from '@watchpost/contract'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { navigate } from '../../core/router.tsx'
import { Form } from '../../form/form.tsx'
import { MonitorPicker } from '../../form/monitor-picker.tsx'
import { PagePicker } from '../../form/page-picker.tsx'
import { asSchema } from '../../form/schema.ts'
import { SchemaFields } from '../../form/schema-form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'

export function NewIncident() {
  return (
    <Page title="Report an incident" back={{ to: '/incidents', label: 'Incidents' }}>
      <IncidentForm />
    </Page>
  )
}

export function EditIncident({ id }: { id: string }) {
  const known = useQuery(`incident/${id}/`, async () => (await api.getIncident({ params: { id } })).data)
  return (
    <Page title="Edit incident" back={{ to: `/incidents/${id}`, label: known.data?.title ?? 'Incident' }}>
      <Loaded of={known}>{incident => <IncidentForm incident={incident} />}</Loaded>
    </Page>
  )
}

function IncidentForm({ incident }: { incident?: Incident }) {
  const first: IncidentWrite =
    incident === undefined
      ? { title: '', severity: 'major', status: 'investigating' }
      : (({ title, description, severity, monitor_ids, status_page_ids, started_at }) => {
          return { title, description, severity, monitor_ids, status_page_ids, started_at }
        })(incident)
  const form = useForm<IncidentWrite>(first, async values => {
    const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as IncidentWrite
    const { data } =
      incident === undefined
        ? await api.createIncident({ body })
        : await api.updateIncident({ params: { id: incident.id }, body })
    invalidate('incidents', `incident/${data.id}/`)
    navigate(`/incidents/${data.id}`)
  })
  const { values, errors, set } = form
  const names = ['title', ...(incident === undefined ? ['status'] : []), 'severity', 'started_at', 'description']
  return (
    <Form
      form={form}
      fresh={incident === undefined}
      action={incident === undefined ? 'Report' : 'Save'}
      onCancel={() => history.back()}
    >
      <Card>
        <div className="stack">
          <SchemaFields
            schema={asSchema(IncidentWrite)}
            names={names}
            values={values as Record<string, unknown>}
            errors={errors}
            onChange={(name, value) => set(name as keyof IncidentWrite, value as never)}
            labels={{ started_at: 'Began' }}
          />
          <MonitorPicker
            label="Affected monitors"
            hint="The first is named on status pages; pages that show one of them show the incident."
            value={values.monitor_ids ?? []}
            error={errors.monitor_ids}
            onChange={ids => set('monitor_ids', ids)}
          />
          <PagePicker
            label="Further status pages that show it"
            value={values.status_page_ids ?? []}
            onChange={ids => set('status_page_ids', ids)}
          />
        </div>
      </Card>
    </Form>
  )
}
