import type { Explanation, Monitor, Probe } from '@watchpost/contract'
import { useEffect, useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { serverNow } from '../../core/clock.ts'
import { everyPage } from '../../core/every-page.ts'
import { isWell, pollMs } from '../../core/probes.ts'
import { Link } from '../../core/router.tsx'
import { silentAt, stateOf } from '../../core/watched.ts'
import { Ago } from '../../ui/time.tsx'

/** How often it is asked whether somebody has looked for the first time. */
const pendingMs = 10_000
/** Between two questions about the same silence. */
const leastMs = 2000
const longestTimerMs = 2 ** 31 - 1

/**
 * Asks for a monitor anew when it falls silent, since no event tells that nothing has happened; and for as long as nobody
 * has looked for the first time.
 */
export function useSilence(monitor: Monitor | undefined): void {
  const [asked, setAsked] = useState(0)
  const at = monitor?.watched ? silentAt(monitor) : undefined
  const id = monitor?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server may see it a moment later, and is asked again
  useEffect(() => {
    if (at === undefined) return
    const fall = () => {
      setAsked(n => n + 1)
      invalidate(`monitor/${id}/`)
    }
    const timer = setTimeout(fall, Math.min(longestTimerMs, Math.max(leastMs, at + 500 - serverNow())))
    return () => clearTimeout(timer)
  }, [id, at, asked])
  const pending = monitor?.status === 'pending'
  useEffect(() => {
    if (!pending) return
    const timer = setInterval(() => invalidate(`monitor/${id}/explain`), pendingMs)
    return () => clearInterval(timer)
  }, [id, pending])
}

/** Whether a monitor that nobody has looked at yet should have been looked at. */
export function isOverdue({ status, timeout }: Monitor, { next_check_at }: Explanation): boolean {
  if (status !== 'pending' || next_check_at === null) return false
  return Date.parse(next_check_at) + timeout * 1000 + pollMs < serverNow()
}

/** That nobody looks, since when, who did, and what to do about it. */
export function Unwatched({ monitor, explanation }: { monitor: Monitor; explanation: Explanation }) {
  const { id, status, last_check_at } = monitor
  const silent = stateOf(monitor) === 'unwatched'
  const overdue = isOverdue(monitor, explanation)
  const asked = silent || overdue
  const { data } = useQuery(asked ? 'probes/list' : undefined, () => everyPage(api.listProbes, { sort: 'name' }))
  if (!asked) return null
  const looked = explanation.last_check?.probe ?? null
  const probes = data?.data
  const probe = probes?.find(each => (monitor.type === 'server' ? each.monitor_id === id : each.name === looked))
  return (
    <div className="notice warn" role="status">
      <p>
        <strong>{silent ? 'Nobody watches this now.' : 'Nobody has looked at this yet.'}</strong>{' '}
        {silent ? (
          <>
            The last look was <Ago at={last_check_at} />. It was {status} then, which says nothing of now.
          </>
        ) : (
          'No probe has taken its first check, which is overdue.'
        )}
      </p>
      {probes !== undefined && (
        <p>
          <Cause monitor={monitor} looked={looked} probe={probe} probes={probes} />{' '}
          <Link className="text" to="/probes">
            {probes.length === 0 ? 'Provision a probe' : 'See the probes'}
          </Link>
        </p>
      )}
    </div>
  )
}

function Cause(props: { monitor: Monitor; looked: string | null; probe: Probe | undefined; probes: Probe[] }) {
  const { monitor, looked, probe, probes } = props
  const { regions } = monitor.options as { regions?: string[] }
  if (probe !== undefined && !isWell(probe, pollMs)) {
    return (
      <>
        The probe <strong>{probe.name}</strong> ({probe.region}) looked last, and has not been heard from since{' '}
        <Ago at={probe.last_seen_at} />:{' '}
        {probe.shared
          ? 'it ran beside the server, which may have been started without --with-probe.'
          : 'start it again there, or provision another.'}
      </>
    )
  }
  const there = probes.filter(each => isWell(each)).map(({ region }) => region)
  const bare = regions?.filter(region => !there.includes(region)) ?? []
  if (bare.length > 0) {
    return (
      <>
        It is to be watched from {regions?.join(', ')}; no probe is heard from in {bare.join(', ')}.
      </>
    )
  }
  if (probe !== undefined) {
    return (
      <>
        The probe <strong>{probe.name}</strong> looked last; it is heard from, but has not looked since: it may be
        behind.
      </>
    )
  }
  if (looked !== null) {
    return (
      <>
        The probe <strong>{looked}</strong> looked last, and is no longer there.
      </>
    )
  }
  if (there.length > 0) return <>A probe is heard from, but has not looked: it may be behind.</>
  return <>No probe runs: provision one, or start the server with --with-probe.</>
}
