import type { AuditKind } from '@watchpost/contract'

/** What a request was about. */
export interface AuditSubject {
  kind: AuditKind
  resource_id: number | null
  resource_name: string | null
}

/** What is known of a request by the time it takes effect. */
export interface AuditedRequest {
  /** The route's: `/v1/monitors/{id}`. */
  path: string
  params: Record<string, string>
  /** What the path led to, as it was before. */
  found: object | undefined
  body: object | undefined
  /** Ids that the request was given, by noun. */
  taken: ReadonlyMap<string, number>
  team_id: number
  user_id: number | null
}

/** The longest beginning of a path that is here says what it is about. */
const kinds: [path: string, kind: AuditKind, param?: string][] = [
  ['/v1/status-pages/{id}/subscribers', 'subscriber', 'subscriber_id'],
  ['/v1/team/members', 'member'],
  ['/v1/team/invitations', 'invitation'],
  ['/v1/team', 'team'],
  ['/v1/monitors', 'monitor'],
  ['/v1/incidents', 'incident'],
  ['/v1/maintenance-windows', 'maintenance_window'],
  ['/v1/status-pages', 'status_page'],
  ['/v1/channels', 'channel'],
  ['/api/observability/apps', 'app'],
  ['/v1/tokens', 'token'],
  ['/v1/probes', 'probe'],
  ['/v1/apply', 'resources'],
  ['/v1/plan', 'resources'],
  ['/v1/backtest', 'resources'],
  ['/api/registration', 'team'],
  ['/api/invitations', 'member'],
  ['/api/session/password', 'user'],
  ['/api/session', 'session'],
]

/** @returns undefined for a path that no entry tells of */
export function kindOf(path: string): AuditKind | undefined {
  return kinds.find(([start]) => path.startsWith(start))?.[1]
}

/** Which thing a request was about, and what it was called. */
export function subjectOf(request: AuditedRequest): AuditSubject {
  const { path, params, found, body, taken, team_id, user_id } = request
  const [, kind, param = 'id'] = kinds.find(([start]) => path.startsWith(start)) ?? ['', 'team' as AuditKind]
  const named = { resource_name: nameIn(found) ?? nameIn(body) }
  if (path === '/api/registration') {
    return { kind: 'team', resource_id: team_id, resource_name: nameIn({ name: (body as { team?: unknown })?.team }) }
  }
  if (kind === 'resources' || kind === 'session') return { kind, resource_id: null, resource_name: null }
  if (kind === 'team') return { kind, resource_id: team_id, ...named }
  if (kind === 'user') return { kind, resource_id: user_id, resource_name: null }
  if (path.startsWith('/api/invitations')) return { kind, resource_id: user_id, ...named }
  if (params[param] !== undefined) return { kind, resource_id: Number(params[param]), ...named }
  // Somebody added is a member at once, or an invitation.
  if (kind === 'member' && !taken.has('user')) {
    return { kind: 'invitation', resource_id: taken.get('invitation') ?? null, ...named }
  }
  return { kind, resource_id: taken.get(kind === 'member' ? 'user' : kind) ?? null, ...named }
}

/** The longest name there may be; a body is not limited here. */
const longest = 255

function nameIn(thing: object | undefined): string | null {
  if (thing === undefined) return null
  const { name, title, email, row } = thing as Record<string, unknown>
  const found = [name, title, email].find(each => typeof each === 'string') as string | undefined
  if (found !== undefined) return found.slice(0, longest)
  // A channel that was opened, with its secrets apart.
  return typeof row === 'object' && row !== null && !('monitor_id' in row) ? nameIn(row) : null
}

/** Top-level fields that a body names, of those that the schema knows; in order, so that entries can be compared. */
export function fieldsNamed(body: object | undefined, schema: { properties?: object } | undefined): string[] {
  const known = schema?.properties ?? {}
  return Object.keys(body ?? {})
    .filter(name => Object.hasOwn(known, name))
    .sort()
}
