import { checkDay, dayName, type Step } from '@watchpost/store'
import type { ReadResult } from './read-result.ts'

/** Whether a check is kept with more than its few bytes: failures, changes, and runs whose id is any text. */
export function needsEvidence({ status, run_text }: ReadResult, changed: boolean): boolean {
  return status !== 'online' || changed || run_text !== null
}

/** What is long or rare of a check, beside the block that holds the rest. The tables of its day must be there. */
export function evidenceStep({ monitor_id, checked_at, nonce, run_text, sent }: ReadResult): Step {
  const params = {
    monitor_id,
    checked_at,
    nonce,
    run_id: run_text,
    error_kind: sent.error_kind ?? null,
    error_message: sent.error_message ?? null,
    timings: jsonOrNull(sent.timings),
    details: jsonOrNull(sent.details),
  }
  return { query: checkDay(dayName(checked_at)).insertEvidence, params }
}

function jsonOrNull(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
