import { type FieldErrors, type MonitorPatch, type OutcomeStatus, serverOptions } from '@watchpost/contract'
import { type MonitorSettings, verdictPolicy } from './monitor-settings.ts'
import { slotStart } from './slot.ts'

/** How long a probe may be silent, ms: two heartbeats lost, and what servers and clocks need. */
export function silenceAllowedMs(interval_s: number): number {
  return interval_s * 2000 + 10_000
}

/** When the next heartbeat is best sent: half-way through the next slot, where neither jitter nor a clock moves it out. */
export function nextHeartbeatMs(id: number, interval_s: number, now: number): number {
  return slotStart(id, interval_s, now) + interval_s * 1500 - now
}

/** Whose word a run is. The same word twice in a slot is one check, from whatever replica. */
const words = { heartbeat: 0, silence: 1, contact: 2 } as const

/** What tells runs apart that are due at one time; a changed monitor is heard anew. */
export function runNonce(version: number, word: keyof typeof words): number {
  return (version % 16_384) * 4 + words[word]
}

/** A server monitor, and when its probe was heard; epoch ms. */
export interface Watched {
  id: number
  version: number
  interval_s: number
  options: Record<string, unknown>
  status: string
  last_check_at: number | null
  /** Changed or resumed then: silence before it says nothing. */
  counts_from: number
  last_seen_at: number
  heartbeat_at: number | null
}

/** A check that nobody sends: what silence, or mere contact, says of a probe. */
export interface UnsentCheck {
  status: OutcomeStatus
  checked_at: number
  /** Of its run. */
  due_at: number
  nonce: number
}

/**
 * What is to be recorded of a probe now, if anything. Times of runs come from what is stored, so that all replicas say
 * the same run, which counts once.
 * @param awakeSince since when this server could have heard it
 */
export function unsentCheck(watched: Watched, awakeSince: number, now: number): UnsentCheck | undefined {
  const { counts_from, last_seen_at, interval_s } = watched
  const allowed = silenceAllowedMs(interval_s)
  const silentFrom = Math.max(last_seen_at, counts_from) + allowed
  if (now < Math.max(silentFrom, awakeSince + allowed))
    return last_seen_at + allowed > now ? contact(watched, now) : undefined
  const { retry_interval_s } = verdictPolicy(watched.options)
  const stepMs = 1000 * (watched.status === 'offline' ? interval_s : Math.min(retry_interval_s, interval_s))
  const due_at = silentFrom + Math.floor((now - silentFrom) / stepMs) * stepMs
  return { status: 'offline', checked_at: now, due_at, nonce: runNonce(watched.version, 'silence') }
}

/** A probe that sends no heartbeats lives while it fetches and reports. */
function contact(watched: Watched, now: number): UnsentCheck | undefined {
  const { id, interval_s, status, last_check_at, counts_from, last_seen_at, heartbeat_at } = watched
  if (heartbeat_at !== null && heartbeat_at + silenceAllowedMs(interval_s) > now) return undefined
  const due_at = slotStart(id, interval_s, last_seen_at)
  const counted = last_check_at ?? 0
  const news = status === 'online' ? due_at > slotStart(id, interval_s, counted) : last_seen_at > counted
  if (!news || last_seen_at < counts_from) return undefined
  return { status: 'online', checked_at: last_seen_at, due_at, nonce: runNonce(watched.version, 'contact') }
}

/** What a machine may not exceed, by option, and what it is called. */
const limits = {
  max_cpu_percent: ['cpu_percent', 'Processor time'],
  max_memory_percent: ['memory_percent', 'Memory'],
  max_disk_percent: ['disk_percent', 'The root file system'],
} as const

type Shares = Record<(typeof limits)[keyof typeof limits][0], number | null>

/** Which limit of the monitor's the machine exceeds, as a sentence; undefined where it keeps to all it has told of. */
export function exceeded(options: Record<string, unknown>, shares: Shares): string | undefined {
  for (const [option, [field, called]] of Object.entries(limits)) {
    const [limit, value] = [options[option], shares[field]]
    if (typeof limit !== 'number' || value === null || value <= limit) continue
    return `${called} is ${Math.round(value * 10) / 10} % in use; ${option} is ${limit}.`
  }
  return undefined
}

const fixed = {
  target: 'is the probe; a server monitor looks at nothing else',
  method: 'is of http and https, not of server monitors',
  ssl_verify: 'is not of server monitors, which look at nothing',
  timeout: 'is not of server monitors: a probe is late after twice the interval and 10 seconds',
} as const

/** What may not be written of a server monitor; what a read returned may be sent back. */
export function serverErrors(
  given: MonitorPatch,
  current: MonitorSettings,
  judgeOptions: (options: object) => FieldErrors,
): FieldErrors {
  const errors: FieldErrors = {}
  if (given.type !== undefined && given.type !== 'server') errors.type = 'cannot change; it is server'
  for (const [field, message] of Object.entries(fixed)) {
    const name = field as keyof typeof fixed
    if (given[name] !== undefined && given[name] !== current[name]) errors[field] = message
  }
  const { options } = given
  // Another shape is told by the schema.
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return errors
  for (const [name, message] of Object.entries(judgeOptions(options))) {
    errors[`options.${name}`] = name in serverOptions ? message : 'unknown option of a server monitor'
  }
  return errors
}
