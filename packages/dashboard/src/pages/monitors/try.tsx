import type { CheckOutcome, MonitorTest } from '@watchpost/contract'
import { useState } from 'react'
import { api, messageOf } from '../../core/api.ts'
import { label, milliseconds } from '../../core/format.ts'
import { Status } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Phases } from './checks.tsx'

export interface Trial {
  busy: boolean
  outcome: CheckOutcome | undefined
  error: unknown
  run(body: MonitorTest): Promise<void>
}

/** A look at a target before it is saved: the probe beside the server makes it, and nothing is kept. */
export function useTrial(): Trial {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<CheckOutcome>()
  const [error, setError] = useState<unknown>()
  const run = async (body: MonitorTest) => {
    setBusy(true)
    setError(undefined)
    try {
      setOutcome((await api.testMonitor({ body })).data)
    } catch (trouble) {
      setOutcome(undefined)
      setError(trouble)
    }
    setBusy(false)
  }
  return { busy, outcome, error, run }
}

export function TryButton({ trial, of, small = false }: { trial: Trial; of: () => MonitorTest; small?: boolean }) {
  return (
    <Button small={small} icon="play" busy={trial.busy} onClick={() => trial.run(of())}>
      Try it now
    </Button>
  )
}

/** What was seen, and where the time went. */
export function TryResult({ trial: { outcome, error } }: { trial: Trial }) {
  if (error !== undefined) {
    return (
      <p className="notice danger" role="alert">
        {messageOf(error)}
      </p>
    )
  }
  if (outcome === undefined) return null
  const { status, response_time_ms, error_kind, error_message, timings, details } = outcome
  const { tls, ...others } = details
  const seen = Object.entries({ ...others, ...certificateOf(tls) }).filter(
    ([, value]) => value !== null && value !== undefined && typeof value !== 'object',
  )
  return (
    <section className="card trial" role="status" aria-label="What was seen">
      <div className="actions">
        <Status word={status} note={error_kind ?? undefined} />
        {response_time_ms !== null && <strong className="number">{milliseconds(response_time_ms)}</strong>}
        <Phases timings={timings} />
      </div>
      {error_message !== null && <p>{error_message}</p>}
      <p className="hint">As the probe beside the server sees it just now. It is no check: nothing of it is kept.</p>
      {seen.length > 0 && (
        <dl className="settings">
          {seen.slice(0, 10).map(([name, value]) => (
            <div key={name}>
              <dt>{label(name)}</dt>
              <dd>{String(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** Of a connection's certificate, what one asks first: whose it is, and for how long. */
function certificateOf(tls: unknown): Record<string, unknown> {
  if (typeof tls !== 'object' || tls === null) return {}
  const { protocol, issuer, days_left } = tls as Record<string, unknown>
  return { tls: protocol, certificate_by: issuer, certificate_days_left: days_left }
}
