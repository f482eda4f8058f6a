import type { Monitor } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, keep } from '../../core/cache.ts'
import { monitors } from '../../core/monitors.ts'
import { navigate } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { attempt } from '../../ui/toast.tsx'

/** What whoever looks at a monitor may do to it. */
export function Actions({ monitor }: { monitor: Monitor }) {
  const may = useMay()
  const [asking, setAsking] = useState(false)
  const { id, enabled } = monitor
  const toggle = () =>
    attempt(
      async () => {
        const { data } = await api.updateMonitor({ params: { id }, body: { enabled: !enabled } })
        monitors.put(data)
        keep(`monitor/${id}/`, data)
        invalidate(`monitor/${id}/explain`)
      },
      enabled ? 'Paused' : 'Resumed; a check is due at once',
    )
  return (
    <>
      {may('updateMonitor') && (
        <>
          <Button icon={enabled ? 'pause' : 'play'} onClick={toggle}>
            {enabled ? 'Pause' : 'Resume'}
          </Button>
          <span data-key="e">
            <ButtonLink to={`/monitors/${id}/edit`} icon="edit">
              Edit
            </ButtonLink>
          </span>
        </>
      )}
      {may('createMonitor') && monitor.type !== 'server' && (
        <ButtonLink to={`/monitors/new?like=${id}`} icon="copy">
          Duplicate
        </ButtonLink>
      )}
      {may('deleteMonitor') && (
        <Button kind="danger" icon="trash" onClick={() => setAsking(true)}>
          Delete
        </Button>
      )}
      {asking && (
        <Confirm
          title={`Delete ${monitor.name}?`}
          action="Delete for good"
          onConfirm={async () => {
            await api.deleteMonitor({ params: { id } })
            monitors.remove(id)
            navigate('/monitors')
          }}
          onClose={() => setAsking(false)}
        >
          Its history goes with it, and status pages show it no longer.
        </Confirm>
      )}
    </>
  )
}
