import { type IncidentSummary, incidentSeverities, incidentStatuses } from '@watchpost/contract'
import { api } from '../../core/api.ts'
import { useQuery, useSteady } from '../../core/cache.ts'
import { duration } from '../../core/format.ts'
import { Link, setQuery, useLocation } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

export function IncidentList() {
  const may = useMay()
  const { query } = useLocation()
  const status = query.get('status') ?? ''
  const severity = query.get('severity') ?? ''
  const page = Number(query.get('page') ?? 1)
  const known = useSteady(
    useQuery(`incidents/list/${status}/${severity}/${page}`, () =>
      api.listIncidents({ query: { page, per_page: 25, ...(status && { status }), ...(severity && { severity }) } }),
    ),
  )
  const create = may('createIncident') && (
    <ButtonLink to="/incidents/new" kind="primary" icon="plus">
      Report an incident
    </ButtonLink>
  )
  return (
    <Page title="Incidents" actions={create}>
      <div className="toolbar">
        <select aria-label="Status" value={status} onChange={event => setQuery('status', event.target.value)}>
          <option value="">Every status</option>
          {incidentStatuses.map(word => (
            <option key={word}>{word}</option>
          ))}
        </select>
        <select aria-label="Severity" value={severity} onChange={event => setQuery('severity', event.target.value)}>
          <option value="">Every severity</option>
          {incidentSeverities.map(word => (
            <option key={word}>{word}</option>
          ))}
        </select>
      </div>
      <Card flush>
        <Loaded of={known}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty
                icon="check"
                title={status || severity ? 'None of that kind' : 'Nothing has happened'}
                action={create}
              >
                A monitor that goes offline opens an incident by itself; people report what monitors do not see.
              </Empty>
            ) : (
              <>
                <Table
                  label="Incidents"
                  rows={data}
                  columns={[
                    {
                      name: 'Incident',
                      cell: incident => (
                        <>
                          <Link to={`/incidents/${incident.id}`} className="main">
                            {incident.title}
                          </Link>
                          <span className="sub">{incident.source}</span>
                        </>
                      ),
                    },
                    { name: 'Status', cell: ({ status: word }) => <Badge>{word}</Badge> },
                    { name: 'Severity', minor: true, cell: ({ severity: word }) => <Badge>{word}</Badge> },
                    { name: 'Lasted', minor: true, cell: incident => lasted(incident) },
                    { name: 'Began', end: true, cell: ({ started_at }) => <Ago at={started_at} /> },
                  ]}
                />
                <div className="pager">
                  <span />
                  <Pager meta={meta} onPage={next => setQuery('page', String(next))} />
                </div>
              </>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}

export function lasted({ started_at, resolved_at }: IncidentSummary): string {
  const end = resolved_at === null ? Date.now() : Date.parse(resolved_at)
  const text = duration((end - Date.parse(started_at)) / 1000)
  return resolved_at === null ? `${text} so far` : text
}
