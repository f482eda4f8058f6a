import { useCallback } from 'react'
import { invalidate } from '../core/cache.ts'
import { useEvent } from '../core/live.ts'
import { toast } from '../ui/toast.tsx'

/** What the events of the team change everywhere, and what is said of them. */
export function Notices() {
  const incident = useCallback(() => invalidate('incidents', 'incident/'), [])
  const changed = useCallback(({ monitor_id, monitor_name, old_status, new_status }: Record<string, string>) => {
    invalidate(`monitor/${monitor_id}/`, 'incidents')
    if (new_status === 'offline') toast(`${monitor_name} is offline`, 'bad')
    else if (old_status === 'offline' && new_status === 'online') toast(`${monitor_name} is online again`)
  }, [])
  useEvent('incident.created', incident)
  useEvent('incident.updated', incident)
  useEvent('monitor.status_changed', changed)
  return null
}
