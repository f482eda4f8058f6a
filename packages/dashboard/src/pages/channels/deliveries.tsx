import { deliveryStatuses } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery, useSteady } from '../../core/cache.ts'
import { exactly } from '../../core/format.ts'
import { useMay } from '../../core/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'
import { attempt } from '../../ui/toast.tsx'
import { AffectedMonitors, Subject } from './subject.tsx'

/** What was sent, and what came of it. */
export function Deliveries({ id }: { id: string }) {
  const [page, setPage] = useState(1)
  const [status, setStatus] = useState('')
  const [opened, setOpened] = useState<string>()
  const known = useSteady(
    useQuery(`channel/${id}/deliveries/${status}/${page}`, () =>
      api.listDeliveries({ params: { id }, query: { page, per_page: 20, ...(status && { status }) } }),
    ),
  )
  return (
    <Card
      title="Delivery log"
      flush
      actions={
        <>
          <Segmented
            legend="Which deliveries"
            words={['', ...deliveryStatuses]}
            label={word => word || 'all'}
            value={status}
            onChange={word => {
              setStatus(word)
              setPage(1)
            }}
          />
          <Button small onClick={known.reload}>
            Refresh
          </Button>
        </>
      }
    >
      <Loaded of={known}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="notice">Nothing was sent yet. What is sent stays here for 30 days.</p>
          ) : (
            <>
              <Table
                label="Deliveries"
                rows={data}
                columns={[
                  {
                    name: 'About',
                    cell: delivery => (
                      <>
                        <Subject of={delivery.subject} />
                        <button type="button" className="link narrow-only" onClick={() => setOpened(delivery.id)}>
                          {delivery.event}
                        </button>
                        {delivery.error !== null && <span className="sub">{delivery.error}</span>}
                      </>
                    ),
                  },
                  {
                    name: 'Event',
                    minor: true,
                    cell: delivery => (
                      <button type="button" className="link" onClick={() => setOpened(delivery.id)}>
                        {delivery.event}
                      </button>
                    ),
                  },
                  { name: 'Status', cell: delivery => <Badge>{delivery.status}</Badge> },
                  { name: 'Attempts', minor: true, cell: delivery => delivery.attempts },
                  { name: 'Answer', minor: true, cell: delivery => delivery.response_status ?? '–' },
                  { name: 'When', end: true, cell: delivery => <Ago at={delivery.created_at} /> },
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
      {opened !== undefined && <Opened id={id} deliveryId={opened} onClose={() => setOpened(undefined)} />}
    </Card>
  )
}

function Opened({ id, deliveryId, onClose }: { id: string; deliveryId: string; onClose: () => void }) {
  const may = useMay()
  const params = { id, delivery_id: deliveryId }
  const known = useQuery(`channel/${id}/delivery/${deliveryId}`, async () => (await api.getDelivery({ params })).data)
  const replay = () =>
    attempt(async () => {
      await api.replayDelivery({ params })
      invalidate(`channel/${id}/`)
      onClose()
    }, 'Queued to be sent again')
  return (
    <Dialog title={known.data?.event ?? 'Delivery'} onClose={onClose} wide>
      <Loaded of={known}>
        {delivery => (
          <div className="stack">
            <p className="quiet">
              <Badge>{delivery.status}</Badge> {exactly(delivery.created_at)}, {delivery.attempts}{' '}
              {delivery.attempts === 1 ? 'attempt' : 'attempts'}
              {delivery.response_status !== null && `, answered ${delivery.response_status}`}
            </p>
            <div className="subject">
              <Subject of={delivery.subject} />
              {delivery.subject.monitor_ids.length > 0 && <AffectedMonitors ids={delivery.subject.monitor_ids} />}
            </div>
            {delivery.error !== null && <p className="notice danger">{delivery.error}</p>}
            {delivery.body !== null && <Copy text={pretty(delivery.body)} label="Copy the body" />}
            <code className="quiet">{delivery.id}</code>
            {may('replayDelivery') && (
              <div className="actions end">
                <Button onClick={replay}>Send again</Button>
              </div>
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
