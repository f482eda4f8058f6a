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

export function TryButton({ trial, of }: { trial: Trial; of: () => MonitorTest }) {
  return (
    <Button icon="play" busy={trial.busy} onClick={() => trial.run(of())}>
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
  const seen = Object.entries(details).filter(([, value]) => value !== null && typeof value !== 'object')
  return (
    <section className="card trial" role="status" aria-label="What was seen">
      <div className="actions">
        <Status word={status} note={error_kind ?? undefined} />
        {response_time_ms !== null && <strong className="number">{milliseconds(response_time_ms)}</strong>}
        <Phases timings={timings} />
      </div>
      {error_message !== null && <p>{error_message}</p>}
      {seen.length > 0 && (
        <dl className="settings">
          {seen.slice(0, 8).map(([name, value]) => (
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
