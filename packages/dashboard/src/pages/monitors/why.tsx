import type { Explanation, Monitor } from '@watchpost/contract'
import { serverNow } from '../../core/clock.ts'
import { Link } from '../../core/router.tsx'
import { stateOf } from '../../core/watched.ts'
import { Ago, Lasting } from '../../ui/time.tsx'
import { isOverdue } from './unwatched.tsx'

/** Why it has the status it has; while it has none, that it is being looked at right now. */
export function Why({ explanation, monitor }: { explanation: Explanation; monitor: Monitor }) {
  const { reasons, next_check_at, incident_id, offline_since, status } = explanation
  const unwatched = stateOf(monitor) === 'unwatched' || isOverdue(monitor, explanation)
  const tone = unwatched ? '' : status === 'offline' ? 'danger' : status === 'pending' ? 'info' : ''
  return (
    <div className={tone === '' ? 'card' : `notice ${tone}`} role="status">
      {status === 'pending' && monitor.enabled && !unwatched && (
        <p>
          <strong>The first check is on its way.</strong>
        </p>
      )}
      <ul className="plain-list">
        {reasons.map(reason => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className="quiet">
        {offline_since !== null && (
          <>
            Offline for <Lasting since={offline_since} />.{' '}
          </>
        )}
        {next_check_at !== null && (
          <>
            {Date.parse(next_check_at) < serverNow() ? 'Was due' : 'Next check'} <Ago at={next_check_at} />.{' '}
          </>
        )}
        {incident_id !== null && (
          <Link className="text" to={`/incidents/${incident_id}`}>
            Incident {incident_id}
          </Link>
        )}
      </p>
    </div>
  )
}
