/** What a run id of ours says: whose run it is, when it was due, and which of the runs due then. */
export interface RunName {
  monitor_id: number
  /** Epoch ms. */
  due_at: number
  /** Tells runs apart that were due at one time: 0 to 65,535. */
  nonce: number
}

/** Nonces are below this: two bytes each in the history of checks. */
export const nonces = 65_536

/**
 * The id of a run: the server's when it leases one, the probe's when it keeps to the schedule by itself. Any other text
 * is as good an id; one of this form is kept in a few bytes, and found again without an index.
 */
export function runId({ monitor_id, due_at, nonce }: RunName): string {
  return `${monitor_id.toString(36)}-${due_at.toString(36)}-${nonce.toString(36)}`
}

const form = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,4})$/

/** What {@link runId} made an id from; undefined for any other text, also one that only looks like it. */
export function readRunId(text: string): RunName | undefined {
  const parts = form.exec(text)
  if (parts === null) return undefined
  const [monitor_id, due_at, nonce] = parts.slice(1).map(part => Number.parseInt(part, 36)) as [number, number, number]
  const name = { monitor_id, due_at, nonce }
  const safe = Number.isSafeInteger(monitor_id) && Number.isSafeInteger(due_at) && nonce < nonces
  return safe && runId(name) === text ? name : undefined
}
