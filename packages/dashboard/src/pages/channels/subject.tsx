import type { DeliverySubject } from '@watchpost/contract'
import { useMonitors } from '../../core/monitors.ts'
import { Link } from '../../core/router.tsx'

const places = { monitor: 'monitors', incident: 'incidents', app: 'apps', channel: 'channels' } as const

/** Whom an event was about, and what became of them; leads there. */
export function Subject({ of: { type, id, name, status } }: { of: DeliverySubject }) {
  return (
    <>
      {type === 'channel' ? (
        <span>{name}</span>
      ) : (
        <Link to={`/${places[type]}/${id}`} className="main">
          {name}
        </Link>
      )}
      <span className="sub">
        {type}
        {status !== null && `, ${status}`}
      </span>
    </>
  )
}

/** The monitors that an incident affects, by name, wherever one has a name by now. */
export function AffectedMonitors({ ids }: { ids: number[] }) {
  const { list } = useMonitors()
  return (
    <ul className="plain-list">
      {ids.map(id => (
        <li key={id}>
          <Link className="text" to={`/monitors/${id}`}>
            {list.find(monitor => monitor.id === id)?.name ?? `Monitor ${id}`}
          </Link>
        </li>
      ))}
    </ul>
  )
}
