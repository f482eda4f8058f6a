import { type Incident, type IncidentStatus, incidentStatuses } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { exactly } from '../../core/format.ts'
import { useMonitors } from '../../core/monitors.ts'
import { Link, navigate } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Field, SelectField } from '../../form/field.tsx'
import { Form } from '../../form/form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { MonitorState } from '../../ui/monitor-state.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Ago } from '../../ui/time.tsx'
import { attempt, toast } from '../../ui/toast.tsx'
import { lasted } from './list.tsx'

export function IncidentPage({ id }: { id: string }) {
  const may = useMay()
  const [asking, setAsking] = useState(false)
  const known = useQuery(`incident/${id}/`, async () => (await api.getIncident({ params: { id } })).data)
  const incident = known.data
  const resolve = () =>
    attempt(async () => {
      await api.addIncidentUpdate({ params: { id }, body: { message: 'Resolved.', status: 'resolved' } })
      invalidate('incidents', `incident/${id}/`)
    }, 'Resolved')
  return (
    <Page
      title={incident?.title ?? 'Incident'}
      back={{ to: '/incidents', label: 'Incidents' }}
      aside={incident && <Badge>{incident.status}</Badge>}
      actions={
        incident && (
          <>
            {may('addIncidentUpdate') && incident.status !== 'resolved' && (
              <Button icon="check" onClick={resolve}>
                Resolve
              </Button>
            )}
            {may('updateIncident') && (
              <span data-key="e">
                <ButtonLink to={`/incidents/${id}/edit`} icon="edit">
                  Edit
                </ButtonLink>
              </span>
            )}
            {may('deleteIncident') && (
              <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
                Delete
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded of={known}>
        {shown => (
          <div className="two">
            <div className="stack">
              {may('addIncidentUpdate') && <Say incident={shown} />}
              <Card title="Timeline">
                <Timeline incident={shown} />
              </Card>
            </div>
            <Facts incident={shown} />
          </div>
        )}
      </Loaded>
      {asking && incident !== undefined && (
        <Confirm
          title={`Delete “${incident.title}”?`}
          action="Delete for good"
          onConfirm={async () => {
            await api.deleteIncident({ params: { id } })
            invalidate('incidents')
            navigate('/incidents')
          }}
          onClose={() => setAsking(false)}
        >
          Its timeline goes with it, and status pages show it no longer.
        </Confirm>
      )}
    </Page>
  )
}

function Say({ incident }: { incident: Incident }) {
  const first: { message: string; status: IncidentStatus } = { message: '', status: incident.status }
  const form = useForm(first, async body => {
    await api.addIncidentUpdate({ params: { id: incident.id }, body })
    form.reset({ message: '', status: body.status })
    invalidate('incidents', `incident/${incident.id}/`)
    toast('Update added; status pages show it')
  })
  return (
    <Card title="What is new?">
      <Form form={form} action="Add update">
        <Field label="Message" required error={form.errors.message} hint="Public: status pages show it.">
          {props => (
            <textarea
              {...props}
              rows={3}
              maxLength={5000}
              placeholder="A fix is being rolled out."
              value={form.values.message}
              onChange={event => form.set('message', event.target.value)}
            />
          )}
        </Field>
        <SelectField
          label="Status from now on"
          value={form.values.status}
          options={incidentStatuses}
          onChange={status => form.set('status', status)}
        />
      </Form>
    </Card>
  )
}

function Timeline({ incident }: { incident: Incident }) {
  const { updates, started_at, source } = incident
  return (
    <ol className="timeline" reversed>
      {updates.toReversed().map(update => (
        <li key={update.id}>
          <Badge>{update.status}</Badge>{' '}
          <span className="quiet">
            <Ago at={update.created_at} />
          </span>
          <p>{update.message}</p>
        </li>
      ))}
      <li>
        <span className="quiet">{exactly(started_at)}</span>
        <p>{source === 'automatic' ? 'A monitor went offline.' : 'The incident began.'}</p>
      </li>
    </ol>
  )
}

function Facts({ incident }: { incident: Incident }) {
  const { list } = useMonitors()
  const affected = incident.monitor_ids.map(id => ({ id, monitor: list.find(each => each.id === id) }))
  return (
    <Card>
      <dl className="settings">
        <div>
          <dt>Severity</dt>
          <dd>
            <Badge>{incident.severity}</Badge>
          </dd>
        </div>
        <div>
          <dt>Lasted</dt>
          <dd>{lasted(incident)}</dd>
        </div>
        <div>
          <dt>Source</dt>
          <dd>{incident.source}</dd>
        </div>
        {affected.length > 0 && (
          <div>
            <dt>Monitors</dt>
            <dd>
              <ul className="plain-list">
                {affected.map(({ id, monitor }) => (
                  <li key={id} className="beside">
                    <Link className="text" to={`/monitors/${id}`}>
                      {monitor?.name ?? `Monitor ${id}`}
                    </Link>
                    {monitor !== undefined && <MonitorState monitor={monitor} />}
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
        {incident.description !== null && (
          <div>
            <dt>For the team</dt>
            <dd className="pre">{incident.description}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}
