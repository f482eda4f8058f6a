import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError, errorBody, itemBody, listBody, type Route, routes, statusOfEnvelope } from '@watchpost/contract'

type Row = Record<string, unknown>

/** One request as the double saw it. */
export interface Seen {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  headers: IncomingMessage['headers']
}

/** Answers a request instead of the double: return true when that is done. */
export type Instead = (seen: Seen, response: ServerResponse) => boolean

export interface ServerDouble {
  url: string
  port: number
  token: string
  seen: Seen[]
  tables: Record<string, Row[]>
  /** Set by a test that wants other answers. */
  instead: Instead | undefined
  close(): Promise<void>
}

const at = '2026-11-21T09:30:00.000Z'

/** What the double adds to a thing that is made. */
const defaults: Record<string, (row: Row) => Row> = {
  monitors: row => monitor(row),
  incidents: row => incident(row),
  'maintenance-windows': row => ({ ...maintenance(), ...row }),
  'status-pages': row => ({ is_public: true, language: 'en', show_history_days: 90, monitors: [], ...row }),
  tokens: row => ({ role: 'member', scopes: [], created_at: at, last_used_at: null, expires_at: null, ...row }),
  probes: row => ({ region: 'default', version: null, last_seen_at: null, created_at: at, ...row }),
  channels: row => ({ disabled_at: null, created_at: at, ...row }),
  apps: row => ({ app_token: 'wp_app_a', api_key: 'wp_rum_a', allowed_origins: [], created_at: at, ...row }),
  members: row => ({ role: 'member', created_at: at, ...row }),
}
const secrets: Record<string, Row> = {
  tokens: { token: 'wp_api_fresh' },
  probes: { token: 'wp_probe_fresh' },
  channels: { secret: 'whsec_fresh' },
  members: { token: 'wp_invite_fresh' },
}

/** A monitor as the API reads it, with what a test wants to see. */
export function monitor(row: Row = {}): Row {
  return {
    id: 1,
    name: 'Shop front',
    target: 'https://shop.example/',
    type: 'https',
    status: 'online',
    interval: 60,
    timeout: 10,
    method: 'get',
    ssl_verify: true,
    enabled: true,
    is_active: true,
    options: {},
    last_check_at: at,
    response_time_ms: 132.4,
    uptime_24h: 99.987,
    created_at: at,
    updated_at: at,
    ...row,
  }
}

export function check(row: Row = {}): Row {
  return {
    run_id: 'run-1',
    monitor_id: 1,
    status: 'online',
    response_time_ms: 120,
    checked_at: at,
    region: 'eu',
    probe: 'frankfurt-1',
    error_kind: null,
    error_message: null,
    timings: null,
    trace_id: null,
    ...row,
  }
}

export function metrics(row: Row = {}): Row {
  const times = { average: 88.4, p50: 80.1, p95: 140.2, p99: 210 }
  const seen = { uptime: 99.5, coverage: 100, checks: 200 }
  return {
    monitor_id: 1,
    from: '2026-11-21T09:20:00.000Z',
    to: at,
    resolution: '5m',
    ...seen,
    up: 199,
    down: 1,
    errors: 0,
    maintenance: 0,
    response_time_ms: { ...times, min: 71, max: 300 },
    series: [
      { at: '2026-11-21T09:20:00.000Z', ...seen, ...times },
      {
        at: '2026-11-21T09:25:00.000Z',
        uptime: null,
        coverage: 0,
        checks: 0,
        average: null,
        p50: null,
        p95: null,
        p99: null,
      },
    ],
    ...row,
  }
}

export function explanation(): Row {
  const seen = {
    error_kind: 'assertion_failed',
    error_message: '$.ok is false',
    timings: { connect_ms: 0.42, first_byte_ms: 31.2 },
  }
  const failed = { ...check({ status: 'offline', ...seen }), details: { status_code: 200, address: '192.0.2.1' } }
  return {
    monitor_id: 1,
    status: 'offline',
    reasons: ['1 of 2 regions that look see it down (eu); one is enough to call it offline.'],
    failures: 1,
    confirmations: 1,
    quorum: 'any',
    votes: [
      { region: 'eu', vote: 'down', failures: 1, probe: 'eu-1', last_check_at: at },
      { region: 'us', vote: 'up', failures: 0, probe: 'us-1', last_check_at: at },
    ],
    watched: true,
    offline_since: at,
    incident_id: 3,
    in_maintenance: false,
    last_check: null,
    next_check_at: at,
    changes: [{ at, old_status: 'online', new_status: 'offline', attempts: [failed], votes: [] }],
    repeat: 'curl -sS -i --max-time 10 https://shop.example/',
  }
}

export function incident(row: Row = {}): Row {
  return {
    id: 1,
    title: 'Checkout is slow',
    description: null,
    status: 'investigating',
    severity: 'major',
    source: 'manual',
    monitor_ids: [],
    status_page_ids: [],
    started_at: at,
    resolved_at: null,
    updates: [],
    created_at: at,
    updated_at: at,
    ...row,
  }
}

export function maintenance(row: Row = {}): Row {
  return {
    id: 1,
    title: 'Upgrade',
    description: null,
    monitor_ids: [1],
    all_monitors: false,
    starts_at: at,
    ends_at: '2026-11-21T10:30:00.000Z',
    time_zone: 'UTC',
    recurrence: null,
    status: 'active',
    next_start_at: null,
    next_end_at: '2026-11-21T10:30:00.000Z',
    created_at: at,
    updated_at: at,
    ...row,
  }
}

/** A tiny server of the contract's shapes on a real socket: the CLI may not import the real one. */
export async function startServerDouble(tables: Record<string, Row[]> = {}, port = 0): Promise<ServerDouble> {
  const double: ServerDouble = { url: '', port: 0, token: 'wp_api_test', seen: [], tables, instead: undefined, close }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', 'http://double')
    const text = Buffer.concat(chunks).toString()
    const seen: Seen = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      body: text === '' ? undefined : JSON.parse(text),
      headers: request.headers,
    }
    double.seen.push(seen)
    if (double.instead?.(seen, response) === true) return
    try {
      const [status, body] = answer(double, seen, request.url ?? '/')
      json(response, status, body)
    } catch (error) {
      const refused = error instanceof ApiError ? error : new ApiError('internal_error', String(error))
      json(response, refused.status, errorBody(refused))
    }
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  double.port = (server.address() as AddressInfo).port
  double.url = `http://127.0.0.1:${double.port}`
  return double

  function close(): Promise<void> {
    server.closeAllConnections()
    return new Promise(resolve => server.close(() => resolve()))
  }
}

/** Sends a JSON answer, from a test's `instead`, too. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  return true
}

function answer(double: ServerDouble, seen: Seen, url: string): [number, unknown] {
  const found = find(seen)
  if (found === undefined) throw new ApiError('not_found', 'Not found')
  const { entry, params } = found
  if (entry.surface !== 'public' && seen.headers.authorization !== `Bearer ${double.token}`) {
    throw new ApiError('unauthorized', 'Invalid token')
  }
  const path = seen.path.replace('/v1/team/', '/v1/').replace(/^\/(v1|api\/observability)\//, '')
  const [noun = '', , part] = path.split('/')
  double.tables[noun] ??= []
  const table = double.tables[noun]
  if (noun === 'team') return [200, itemBody(table[0])]
  const status = statusOfEnvelope[entry.envelope]
  if (part === 'updates') return [status, itemBody(addUpdate(table, params.id, seen.body as Row), entry.message)]
  if (part !== undefined) return [status, ofPart(double, entry, seen, part, url)]
  if (entry.envelope === 'list') return [status, page(table, seen, url)]
  if (entry.envelope === 'created') {
    const row = { id: table.length + 1, ...(seen.body as Row) }
    const made = { ...row, ...defaults[noun]?.(noun === 'monitors' ? { status: 'pending', ...row } : row) }
    table.push(made)
    return [status, itemBody({ ...made, ...secrets[noun] }, entry.message)]
  }
  const row = table.find(each => String(each.id) === params.id)
  if (row === undefined) throw new ApiError('not_found', 'Not found')
  if (entry.envelope === 'deleted') {
    table.splice(table.indexOf(row), 1)
    return [status, itemBody(null, entry.message)]
  }
  if (entry.envelope === 'updated') Object.assign(row, seen.body)
  return [status, itemBody(row, entry.message)]
}

function addUpdate(incidents: Row[], id: string | undefined, body: Row): Row {
  const incident = incidents.find(each => String(each.id) === id)
  if (incident === undefined) throw new ApiError('not_found', 'Not found')
  const updates = incident.updates as Row[]
  const update = { id: updates.length + 1, status: incident.status, created_at: at, ...body }
  Object.assign(incident, { status: update.status, updates: [...updates, update] })
  return update
}

function ofPart(double: ServerDouble, entry: Route, seen: Seen, part: string, url: string): unknown {
  if (part === 'metrics') return itemBody(metrics(seen.query))
  if (part === 'explain') return itemBody(explanation())
  if (part === 'checks') return page(double.tables.checks ?? [], seen, url)
  if (entry.envelope === 'deleted') return itemBody(null, entry.message)
  const shown = {
    display_name: null,
    group_name: 'General',
    order_index: 0,
    show_uptime: true,
    show_response_time: true,
  }
  return itemBody({ name: 'Shop front', ...shown, ...(seen.body as Row) }, entry.message)
}

function page(rows: Row[], { query }: Seen, url: string): unknown {
  const { page = '1', per_page = '20', sort: _, ...filters } = query
  const kept = rows.filter(row => Object.entries(filters).every(([key, value]) => String(row[key]) === value))
  const from = (Number(page) - 1) * Number(per_page)
  return listBody(kept.slice(from, from + Number(per_page)), kept.length, Number(page), Number(per_page), url)
}

function find({ method, path }: Seen): { entry: Route; params: Record<string, string> } | undefined {
  for (const entry of Object.values(routes) as Route[]) {
    const pattern = new RegExp(`^${entry.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const match = entry.method === method ? pattern.exec(path) : null
    if (match !== null) return { entry, params: { ...match.groups } }
  }
  return undefined
}
