import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { everyPage } from '../../core/every-page.ts'
import { Link } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { hears } from './hears.ts'

/** Who hears of it when it goes offline: the question that is asked too late otherwise. */
export function Told({ id }: { id: number }) {
  const may = useMay()
  const known = useQuery('channels/list', () => everyPage(api.listChannels, { sort: 'name' }))
  return (
    <Card title="Who is told">
      <Loaded of={known} lines={2}>
        {({ data }) => {
          const told = data.filter(channel => hears(channel, id))
          return told.length === 0 ? (
            <p>
              Nobody, when it goes offline.{' '}
              {may('createChannel') && (
                <Link className="text" to="/channels/new">
                  Add a channel
                </Link>
              )}
            </p>
          ) : (
            <ul className="plain-list">
              {told.map(channel => (
                <li key={channel.id}>
                  <Link className="text" to={`/channels/${channel.id}`}>
                    {channel.name}
                  </Link>{' '}
                  <Badge>{channel.type}</Badge>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Card>
  )
}
