import type { MaintenanceWindow } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { moment } from '../../core/format.ts'
import { Link } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { attempt } from '../../ui/toast.tsx'

export function MaintenanceList() {
  const may = useMay()
  const [page, setPage] = useState(1)
  const [asking, setAsking] = useState<MaintenanceWindow>()
  const known = useQuery(`maintenance/list/${page}`, () =>
    api.listMaintenanceWindows({ query: { page, per_page: 25 } }),
  )
  const create = may('createMaintenanceWindow') && (
    <ButtonLink to="/maintenance/new" kind="primary" icon="plus">
      Plan maintenance
    </ButtonLink>
  )
  const end = ({ id }: MaintenanceWindow) =>
    attempt(async () => {
      await api.updateMaintenanceWindow({ params: { id }, body: { ends_at: new Date().toISOString() } })
      invalidate('maintenance/')
    }, 'Ended')
  return (
    <Page title="Maintenance" actions={create}>
      <Card flush>
        <Loaded of={known}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <Empty icon="maintenance" title="Nothing is planned" action={create}>
                While planned work lasts, checks run, nobody is alerted, status pages show it and uptime does not count
                it.
              </Empty>
            ) : (
              <>
                <Table
                  label="Maintenance windows"
                  rows={data}
                  columns={[
                    {
                      name: 'Title',
                      cell: window => (
                        <>
                          {may('updateMaintenanceWindow') ? (
                            <Link to={`/maintenance/${window.id}`} className="main">
                              {window.title}
                            </Link>
                          ) : (
                            <span className="main">{window.title}</span>
                          )}
                          <span className="sub">
                            {window.all_monitors
                              ? 'all monitors'
                              : `${window.monitor_ids.length} ${window.monitor_ids.length === 1 ? 'monitor' : 'monitors'}`}
                            {window.recurrence !== null && `, ${window.recurrence.frequency}`}
                          </span>
                          <span className="sub narrow-only">{moment(window.next_start_at ?? window.starts_at)}</span>
                        </>
                      ),
                    },
                    { name: 'Status', cell: ({ status }) => <Badge>{status}</Badge> },
                    {
                      name: 'Starts',
                      minor: true,
                      cell: ({ next_start_at, starts_at }) => moment(next_start_at ?? starts_at),
                    },
                    { name: 'Ends', minor: true, cell: ({ next_end_at, ends_at }) => moment(next_end_at ?? ends_at) },
                    {
                      name: 'Actions',
                      hidden: true,
                      end: true,
                      cell: window => (
                        <span className="actions end">
                          {may('updateMaintenanceWindow') &&
                            window.status === 'active' &&
                            window.recurrence === null && (
                              <Button small onClick={() => end(window)}>
                                End now
                              </Button>
                            )}
                          {may('deleteMaintenanceWindow') && (
                            <IconButton
                              icon="trash"
                              label={`Delete ${window.title}`}
                              onClick={() => setAsking(window)}
                            />
                          )}
                        </span>
                      ),
                    },
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
      {asking !== undefined && (
        <Confirm
          title={`Delete “${asking.title}”?`}
          action="Delete"
          onConfirm={async () => {
            await api.deleteMaintenanceWindow({ params: { id: asking.id } })
            invalidate('maintenance/')
          }}
          onClose={() => setAsking(undefined)}
        >
          {asking.status === 'active' ? 'It runs now, and ends with this.' : 'It will not come.'}
        </Confirm>
      )}
    </Page>
  )
}
