import type { Subscriber } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { plural } from '../../core/format.ts'
import { useMay } from '../../core/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

/** As many as anybody reads here; `monitorctl` lists all of them. */
const most = 100

/** Who is told of the incidents of a page by e-mail. They come by themselves; here they can be taken off. */
export function Subscribers({ id }: { id: string }) {
  const may = useMay()
  const [leaving, setLeaving] = useState<Subscriber>()
  const key = `status-page-subscribers/${id}`
  const known = useQuery(key, () =>
    api.listSubscribers({ params: { id }, query: { per_page: most, sort: '-created_at' } }),
  )
  return (
    <Card title="Told by e-mail" flush>
      <Loaded of={known} lines={2}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <p className="notice">Nobody so far. The page offers it where the server can send mail.</p>
          ) : (
            <>
              <Table
                label="Subscribers"
                rows={data}
                columns={[
                  { name: 'E-mail', cell: ({ email }) => <span className="main">{email}</span> },
                  {
                    name: 'Confirmed',
                    cell: ({ confirmed_at }) =>
                      confirmed_at === null ? <Badge tone="quiet">not yet</Badge> : <Ago at={confirmed_at} />,
                  },
                  {
                    name: 'Remove',
                    hidden: true,
                    end: true,
                    cell: subscriber =>
                      may('deleteSubscriber') && (
                        <IconButton
                          icon="trash"
                          label={`Remove ${subscriber.email}`}
                          onClick={() => setLeaving(subscriber)}
                        />
                      ),
                  },
                ]}
              />
              {meta.total > data.length && (
                <p className="notice">{plural(meta.total - data.length, 'earlier subscriber')} not shown.</p>
              )}
            </>
          )
        }
      </Loaded>
      {leaving !== undefined && (
        <Confirm
          title={`Remove ${leaving.email}?`}
          action="Remove"
          onConfirm={async () => {
            await api.deleteSubscriber({ params: { id, subscriber_id: leaving.id } })
            invalidate(key)
          }}
          onClose={() => setLeaving(undefined)}
        >
          They are told of nothing any more, unless they ask for it again.
        </Confirm>
      )}
    </Card>
  )
}
