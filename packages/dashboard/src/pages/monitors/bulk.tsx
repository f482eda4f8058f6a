import { ApiError, type Monitor } from '@watchpost/contract'
import { useState } from 'react'
import { api, messageOf } from '../../core/api.ts'
import { plural } from '../../core/format.ts'
import { monitors } from '../../core/monitors.ts'
import { useMay } from '../../core/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.tsx'

const atOnce = 4

/** One thing done to many: a few at a time, waiting where the server asks to, and saying how far it is. */
export function Bulk({ chosen, onDone }: { chosen: Monitor[]; onDone: () => void }) {
  const may = useMay()
  const [done, setDone] = useState<number>()
  const [asking, setAsking] = useState(false)

  const run = async (word: string, work: (monitor: Monitor) => Promise<unknown>) => {
    const todo = [...chosen]
    const failed: unknown[] = []
    setDone(0)
    const worker = async () => {
      for (let monitor = todo.pop(); monitor !== undefined; monitor = todo.pop()) {
        try {
          await patiently(() => work(monitor as Monitor))
        } catch (error) {
          failed.push(error)
        }
        setDone(n => (n ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    setDone(undefined)
    if (failed.length > 0) toast(`${plural(failed.length, 'monitor')} failed: ${messageOf(failed[0])}`, 'bad')
    if (failed.length < chosen.length) toast(`${plural(chosen.length - failed.length, 'monitor')} ${word}`)
    onDone()
  }
  const enable = (enabled: boolean) =>
    run(enabled ? 'resumed' : 'paused', async ({ id }) => {
      monitors.put((await api.updateMonitor({ params: { id }, body: { enabled } })).data)
    })
  const remove = () =>
    run('deleted', async ({ id }) => {
      await api.deleteMonitor({ params: { id } })
      monitors.remove(id)
    })

  return (
    <div className="bulk" role="status">
      <strong>{plural(chosen.length, 'monitor')} chosen</strong>
      {done !== undefined ? (
        <span>{done} done…</span>
      ) : (
        <>
          <Button small icon="pause" onClick={() => enable(false)}>
            Pause
          </Button>
          <Button small icon="play" onClick={() => enable(true)}>
            Resume
          </Button>
          {may('deleteMonitor') && (
            <Button small kind="danger" icon="trash" onClick={() => setAsking(true)}>
              Delete
            </Button>
          )}
          <Button small kind="ghost" onClick={onDone}>
            Choose none
          </Button>
        </>
      )}
      {asking && (
        <Confirm
          title={`Delete ${plural(chosen.length, 'monitor')}?`}
          action="Delete for good"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          Their history goes with them, and status pages show them no longer.
        </Confirm>
      )}
    </div>
  )
}

async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work()
      return
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error
      await new Promise(resolve => setTimeout(resolve, (error.retryAfter ?? 5) * 1000))
    }
  }
}
