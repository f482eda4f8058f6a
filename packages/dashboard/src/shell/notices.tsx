import { useCallback, useRef } from 'react'
import { invalidate } from '../core/cache.ts'
import { useEvent } from '../core/live.ts'
import { toast } from '../ui/toast.tsx'

/** What the events of the team change everywhere, and what is said of them. */
export function Notices() {
  // The log of a channel has it once it was sent: a moment later.
  const sent = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sending = useCallback(() => {
    clearTimeout(sent.current)
    sent.current = setTimeout(() => invalidate('channel/'), 1500)
  }, [])
  const incident = useCallback(() => {
    invalidate('incidents', 'incident/')
    sending()
  }, [sending])
  const changed = useCallback(
    ({ monitor_id, monitor_name, old_status, new_status }: Record<string, string>) => {
      invalidate(`monitor/${monitor_id}/`, 'incidents')
      sending()
      if (new_status === 'offline') toast(`${monitor_name} is offline`, 'bad')
      else if (old_status === 'offline' && new_status === 'online') toast(`${monitor_name} is online again`)
    },
    [sending],
  )
  useEvent('incident.created', incident)
  useEvent('incident.updated', incident)
  useEvent('monitor.status_changed', changed)
  return null
}
