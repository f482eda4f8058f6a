import {
  type FieldErrors,
  type MonitorPatch,
  type MonitorReplacement,
  type Quorum,
  verdictOptions,
} from '@watchpost/contract'

/** Seconds between the heartbeats of a probe, where its monitor does not say otherwise. */
export const heartbeatIntervalS = 30

/** A monitor's settings with every default filled in (ruling 6). */
export type MonitorSettings = Required<MonitorReplacement>

export function withDefaults(given: MonitorReplacement): MonitorSettings {
  const interval = given.interval ?? (given.type === 'server' ? heartbeatIntervalS : 60)
  return {
    name: given.name,
    target: given.target,
    type: given.type,
    interval,
    timeout: given.timeout ?? Math.min(10, interval - 1),
    method: given.method ?? 'get',
    ssl_verify: given.ssl_verify ?? true,
    enabled: given.enabled ?? true,
    is_active: given.is_active ?? true,
    options: given.options ?? {},
  }
}

/**
 * What a write leads to.
 * @param before the settings that PATCH changes; undefined for a create or a PUT
 */
export function applied(given: MonitorPatch, before: MonitorSettings | undefined): MonitorSettings {
  return before === undefined ? withDefaults(given as MonitorReplacement) : { ...before, ...given }
}

/** The timeout is nothing that a server monitor has: it follows the interval. */
export function withOwnTimeout(settings: MonitorSettings): MonitorSettings {
  return settings.type === 'server' ? { ...settings, timeout: Math.min(10, settings.interval - 1) } : settings
}

/** What depends on two fields at once: schemas see one at a time. Asked of bodies that may have other faults too. */
export function settingsErrors(
  given: MonitorPatch,
  before: MonitorSettings | undefined,
  currentType: string | undefined,
): FieldErrors {
  const errors: FieldErrors = {}
  if (currentType !== undefined && given.type !== undefined && given.type !== currentType) {
    errors.type = `cannot change; it is ${currentType}`
  }
  const { interval, timeout } = applied(given, before)
  if (typeof interval === 'number' && typeof timeout === 'number' && timeout >= interval) {
    errors[given.timeout === undefined ? 'interval' : 'timeout'] =
      given.timeout === undefined
        ? `must be above the timeout of ${timeout} seconds`
        : `must be below the interval of ${interval} seconds`
  }
  return errors
}

/** How sure one must be, from a monitor's options. */
export function verdictPolicy(options: Record<string, unknown>): { confirmations: number; retry_interval_s: number } {
  return {
    confirmations: verdictOption<number>(options, 'confirmations'),
    retry_interval_s: verdictOption<number>(options, 'retry_interval'),
  }
}

/** Where a monitor is watched from, by its options (ruling 12); null: anywhere, by one probe. */
export function regionsOf(options: Record<string, unknown>): { regions: string[]; quorum: Quorum } | null {
  const regions = options.regions as string[] | undefined
  return regions === undefined ? null : { regions, quorum: verdictOption<Quorum>(options, 'quorum') }
}

/** A quorum that the regions could never reach. Asked of options that may have other faults too. */
export function quorumErrors(options: unknown): FieldErrors {
  const { regions, quorum } = (options ?? {}) as { regions?: unknown; quorum?: unknown }
  const named = Array.isArray(regions) ? regions.length : 1
  if (typeof quorum !== 'number' || quorum <= named) return {}
  return { 'options.quorum': `must be at most ${named}, the number of regions` }
}

/** Whether going offline opens an incident, from a monitor's options (ruling 24). */
export function autoIncident(options: Record<string, unknown>): boolean {
  return verdictOption<boolean>(options, 'auto_incident')
}

function verdictOption<T>(options: Record<string, unknown>, name: keyof typeof verdictOptions): T {
  return (options[name] ?? (verdictOptions[name] as unknown as { default: T }).default) as T
}

const whatIsLookedAt = ['target', 'method', 'ssl_verify', 'options'] as const

/** Whether the old verdict says nothing of the new settings: the monitor is pending again (ruling 6). */
export function needsNewVerdict(before: MonitorSettings, after: MonitorSettings): boolean {
  return before.target !== after.target || before.enabled !== after.enabled
}

/** Whether a probe must be given the monitor anew. */
export function changesCheck(before: MonitorSettings, after: MonitorSettings): boolean {
  const same = (field: (typeof whatIsLookedAt)[number]) =>
    JSON.stringify(before[field]) === JSON.stringify(after[field])
  return (
    needsNewVerdict(before, after) ||
    !whatIsLookedAt.every(same) ||
    before.interval !== after.interval ||
    before.timeout !== after.timeout
  )
}

/** Options as those see them who may not see credentials: names stay, what they hold does not. */
export function withoutSecrets(options: MonitorSettings['options']): MonitorSettings['options'] {
  const { auth, headers } = options as { auth?: object; headers?: object }
  const hidden = (fields: object, shown: string[]) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown.includes(name) ? value : '***']))
  return {
    ...options,
    ...(auth === undefined ? {} : { auth: hidden(auth, ['type', 'username']) }),
    ...(headers === undefined ? {} : { headers: hidden(headers, []) }),
  }
}
