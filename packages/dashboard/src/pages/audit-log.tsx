import { type AuditEntry, type AuditKind, auditKinds } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../core/api.ts'
import { useQuery, useSteady } from '../core/cache.ts'
import { Link } from '../core/router.tsx'
import { useMay } from '../core/session.tsx'
import { Button } from '../ui/button.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { Empty, Loaded } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'

const back = { to: '/team', label: 'Team' }

/** Who changed what, newest first. */
export function AuditLog() {
  const may = useMay()
  return (
    <Page title="Audit log" back={back}>
      {may('listAuditLog') ? (
        <Entries />
      ) : (
        <Empty icon="team" title="For owners and admins">
          They see who changed what in this team.
        </Empty>
      )}
    </Page>
  )
}

function Entries() {
  const [page, setPage] = useState(1)
  const [kind, setKind] = useState('')
  const known = useSteady(
    useQuery(`audit/${kind}/${page}`, () => api.listAuditLog({ query: { page, per_page: 50, ...(kind && { kind }) } })),
  )
  return (
    <Card
      title="Who changed what"
      flush
      actions={
        <>
          <select
            aria-label="Kind"
            value={kind}
            onChange={event => {
              setKind(event.target.value)
              setPage(1)
            }}
          >
            <option value="">everything</option>
            {auditKinds.map(each => (
              <option key={each} value={each}>
                {words(each)}
              </option>
            ))}
          </select>
          <Button small onClick={known.reload}>
            Refresh
          </Button>
        </>
      }
    >
      <Loaded of={known}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="notice">Nothing here yet. What is changed stays here for a year.</p>
          ) : (
            <>
              <Table
                label="Audit log"
                rows={data}
                columns={[
                  {
                    name: 'Who',
                    cell: ({ actor, actor_name }) => (
                      <>
                        <span className="main uncut" title={actor_name}>
                          {actor_name}
                        </span>
                        {actor === 'token' && <span className="sub">token</span>}
                      </>
                    ),
                  },
                  { name: 'What', cell: entry => <What entry={entry} /> },
                  { name: 'Fields', minor: true, cell: ({ fields }) => fields.join(', ') || '–' },
                  { name: 'From', minor: true, cell: ({ address }) => <code className="uncut">{address}</code> },
                  { name: 'When', end: true, cell: ({ created_at }) => <Ago at={created_at} /> },
                ]}
              />
              <div className="pager">
                <span />
                <Pager meta={meta} onPage={setPage} />
              </div>
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function What({ entry: { operation, kind, resource_id, resource_name, counts } }: { entry: AuditEntry }) {
  const thing = counts
    ? `${counts.create} made, ${counts.update} changed, ${counts.delete} deleted`
    : [words(kind), resource_name ?? resource_id].filter(part => part !== null).join(' ')
  const place = places[kind]
  return (
    <>
      <span title={operation}>{sentence(operation)}</span>
      <span className="sub">
        {place !== undefined && resource_id !== null && !operation.startsWith('delete') ? (
          <Link to={`/${place}/${resource_id}`}>{thing}</Link>
        ) : (
          thing
        )}
      </span>
    </>
  )
}

/** Where the things of a kind are shown. */
const places: Partial<Record<AuditKind, string>> = {
  monitor: 'monitors',
  incident: 'incidents',
  maintenance_window: 'maintenance',
  status_page: 'status-pages',
  channel: 'channels',
  app: 'apps',
}

/** acceptInvitation → Accept invitation. */
const sentence = (operation: string): string =>
  operation.charAt(0).toUpperCase() + operation.slice(1).replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

const words = (kind: string): string => kind.replaceAll('_', ' ')
