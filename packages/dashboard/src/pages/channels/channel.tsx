import type { Channel, ChannelTest, CreatedChannel, Delivery } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { navigate } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Loaded } from '../../ui/state.tsx'
import { attempt } from '../../ui/toast.tsx'
import { Deliveries } from './deliveries.tsx'

export function ChannelPage({ id }: { id: string }) {
  const may = useMay()
  const [asking, setAsking] = useState<'delete' | 'rotate'>()
  const [made, setMade] = useState<CreatedChannel>()
  const known = useQuery(`channel/${id}/`, async () => (await api.getChannel({ params: { id } })).data)
  const channel = known.data
  return (
    <Page
      title={channel?.name ?? 'Channel'}
      back={{ to: '/channels', label: 'Channels' }}
      aside={channel && <Badge>{channel.type}</Badge>}
      actions={
        channel && (
          <>
            {may('rotateChannelSecret') && channel.type === 'webhook' && (
              <Button onClick={() => setAsking('rotate')}>New secret</Button>
            )}
            {may('updateChannel') && (
              <span data-key="e">
                <ButtonLink to={`/channels/${id}/edit`} icon="edit">
                  Edit
                </ButtonLink>
              </span>
            )}
            {may('deleteChannel') && (
              <Button kind="danger" icon="trash" onClick={() => setAsking('delete')}>
                Delete
              </Button>
            )}
          </>
        )
      }
    >
      <Loaded of={known}>
        {shown => (
          <>
            <Settings channel={shown} />
            {may('testChannel') && <Try id={id} />}
            <Deliveries id={id} />
          </>
        )}
      </Loaded>
      {asking === 'delete' && (
        <Confirm
          title={`Delete ${channel?.name}?`}
          action="Delete for good"
          onConfirm={async () => {
            await api.deleteChannel({ params: { id } })
            invalidate('channels/')
            navigate('/channels')
          }}
          onClose={() => setAsking(undefined)}
        >
          What was not delivered yet is dropped, and the log is deleted.
        </Confirm>
      )}
      {asking === 'rotate' && (
        <Confirm
          title="Make a new signing secret?"
          action="Make a new one"
          onConfirm={async () => {
            setMade((await api.rotateChannelSecret({ params: { id } })).data)
          }}
          onClose={() => setAsking(undefined)}
        >
          For 24 hours messages are signed with both, so that the receiver can change over.
        </Confirm>
      )}
      {made !== undefined && (
        <ShownOnce title="The new signing secret" text={made.secret ?? ''} onClose={() => setMade(undefined)}>
          It is shown this one time.
        </ShownOnce>
      )}
    </Page>
  )
}

function Settings({ channel }: { channel: Channel }) {
  const { url, to, chat_id, events, monitor_ids, enabled, disabled_at, disabled_reason } = channel
  const rows: [string, string | null][] = [
    ['Sends to', url ?? to?.join(', ') ?? chat_id],
    ['Events', events.length === 0 ? 'all' : events.join(', ')],
    ['Monitors', monitor_ids.length === 0 ? 'all' : `${monitor_ids.length} chosen`],
    ['State', disabled_at !== null ? `the receiver refused: ${disabled_reason ?? ''}` : enabled ? 'on' : 'off'],
  ]
  return (
    <Card>
      <dl className="settings">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <span className="quiet">not shown to viewers</span>}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function Try({ id }: { id: string }) {
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<ChannelTest>()
  const go = async () => {
    setBusy(true)
    setResult(undefined)
    await attempt(async () => setResult((await api.testChannel({ params: { id } })).data))
    setBusy(false)
    invalidate(`channel/${id}/deliveries`)
  }
  return (
    <Card>
      <div className="actions">
        <Button kind="primary" busy={busy} onClick={go}>
          Send a test
        </Button>
        <span role="status">
          {result === undefined ? (
            <span className="quiet">Is it heard? Sent at once, and not tried again.</span>
          ) : result.delivered ? (
            <>
              <Badge tone="good">delivered</Badge>{' '}
              {result.response_status !== null && `answered ${result.response_status}`}
            </>
          ) : (
            <>
              <Badge tone="bad">not delivered</Badge> {result.error}
            </>
          )}
        </span>
      </div>
    </Card>
  )
}

export type { Delivery }
