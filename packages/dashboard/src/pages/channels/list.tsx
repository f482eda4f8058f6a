import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { everyPage } from '../../core/every-page.ts'
import { Link } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'

export function ChannelList() {
  const may = useMay()
  const known = useQuery('channels/list', () => everyPage(api.listChannels, { sort: 'name' }))
  const create = may('createChannel') && (
    <ButtonLink to="/channels/new" kind="primary" icon="plus">
      New channel
    </ButtonLink>
  )
  return (
    <Page title="Channels" actions={create}>
      <Card flush>
        <Loaded of={known}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="channels" title="Nobody is told yet" action={create}>
                A channel tells people by e-mail, Slack, Telegram or Discord, and programs by webhook.
              </Empty>
            ) : (
              <Table
                label="Channels"
                rows={data}
                columns={[
                  {
                    name: 'Channel',
                    cell: channel => (
                      <>
                        <Link to={`/channels/${channel.id}`} className="main">
                          {channel.name}
                        </Link>
                        <span className="sub">{channel.url ?? channel.to?.join(', ') ?? channel.chat_id}</span>
                      </>
                    ),
                  },
                  { name: 'Type', cell: channel => <Badge>{channel.type}</Badge> },
                  {
                    name: 'Gets',
                    minor: true,
                    cell: channel => (channel.events.length === 0 ? 'every event' : channel.events.join(', ')),
                  },
                  {
                    name: 'State',
                    end: true,
                    cell: channel =>
                      channel.disabled_at !== null ? (
                        <Badge tone="bad">refused</Badge>
                      ) : (
                        <Badge tone={channel.enabled ? 'good' : 'quiet'}>{channel.enabled ? 'on' : 'off'}</Badge>
                      ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}
