import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ApiError,
  type BatchVerdict,
  type CheckResult,
  type DueCheck,
  type DueChecks,
  errorBody,
  type Heartbeat,
  resultsPerRequest,
} from '@watchpost/contract'

/** A monitor as the double keeps it. */
export interface FakeMonitor extends Omit<DueCheck, 'run_id' | 'due_at' | 'lease_until' | 'monitor_id'> {
  /** Epoch milliseconds, as all times here. */
  dueAt: number
  leasedUntil: number
  enabled: boolean
  /** Milliseconds after a failure when the next check is due. */
  retryMs: number
}

const heard = { monitor_id: 1000, status: 'online' }

export const token = 'wp_probe_test'

/** The control plane as a probe sees it: a real HTTP server that keeps to the contract, with everything in memory. */
export class ControlPlane {
  readonly monitors = new Map<number, FakeMonitor>()
  /** Accepted results in the order of their arrival, each run once. */
  readonly results: CheckResult[] = []
  /** Runs that arrived again. */
  repeated = 0
  polls = 0
  /** As they came. */
  readonly heartbeats: Heartbeat[] = []
  nextHeartbeatSeconds = 30
  requests = 0
  userAgent: string | undefined
  /** Answers every request with this, when set. */
  failWith: ApiError | undefined
  token = token
  pollAfterSeconds = 0.2
  /** Milliseconds by which this server's clock is ahead. */
  clockAheadMs = 0
  readonly #runs = new Set<string>()
  #server: Server | undefined
  #port = 0
  #ids = 0

  static async start(): Promise<ControlPlane> {
    const plane = new ControlPlane()
    await plane.up()
    return plane
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Listens, on the port it had before. */
  async up(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response))
    await new Promise<void>(resolve => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  /** Refuses connections and cuts those it has. */
  async down(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    server?.closeAllConnections()
    await new Promise<void>(resolve => (server === undefined ? resolve() : server.close(() => resolve())))
  }

  add(monitor: Partial<FakeMonitor> & { target: string }): number {
    const id = ++this.#ids
    this.monitors.set(id, {
      type: 'http',
      method: 'get',
      interval: 10,
      timeout: 5,
      ssl_verify: true,
      options: {},
      dueAt: this.now(),
      leasedUntil: 0,
      enabled: true,
      retryMs: 5000,
      ...monitor,
    })
    return id
  }

  /** A change ends the lease and makes the monitor due at once. */
  change(id: number, to: Partial<FakeMonitor>): void {
    Object.assign(this.monitors.get(id) as FakeMonitor, { dueAt: this.now(), leasedUntil: 0 }, to)
  }

  resultsOf(id: number): CheckResult[] {
    return this.results.filter(result => result.monitor_id === id)
  }

  now(): number {
    return Date.now() + this.clockAheadMs
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests++
    this.userAgent = request.headers['user-agent']
    try {
      let text = ''
      for await (const chunk of request) text += chunk
      if (this.failWith !== undefined) throw this.failWith
      if (request.headers.authorization !== `Bearer ${this.token}`)
        throw new ApiError('unauthorized', 'Invalid probe token')
      const url = new URL(request.url ?? '/', this.url)
      if (url.pathname === '/v1/probe/get-checks') send(response, 200, this.#due(url.searchParams))
      else if (url.pathname === '/v1/probe/check-results') send(response, 200, this.#take(JSON.parse(text)))
      else if (url.pathname === '/v1/probe/heartbeat') send(response, 200, this.#hear(JSON.parse(text)))
      else throw new ApiError('not_found', 'No such route')
    } catch (error) {
      const { status, retryAfter } = error instanceof ApiError ? error : new ApiError('internal_error', String(error))
      send(response, status, errorBody(error as ApiError), retryAfter)
    }
  }

  #due(query: URLSearchParams): DueChecks {
    this.polls++
    const now = this.now()
    const until = now + Number(query.get('horizon') ?? 0) * 1000
    const due = [...this.monitors]
      .filter(([, { enabled, dueAt, leasedUntil }]) => enabled && dueAt <= until && leasedUntil <= now)
      .slice(0, Number(query.get('limit') ?? 100))
    const data = due.map(([monitor_id, monitor]) => {
      const { dueAt, enabled: _, retryMs: __, ...check } = monitor
      monitor.leasedUntil = Math.max(until, now + (2 * monitor.timeout + 30) * 1000)
      const { leasedUntil, ...wire } = { ...check, leasedUntil: monitor.leasedUntil }
      return {
        ...wire,
        monitor_id,
        run_id: `run-${monitor_id}-${dueAt}`,
        due_at: iso(dueAt),
        lease_until: iso(leasedUntil),
      }
    })
    const meta = { server_time: iso(now), poll_after_seconds: this.pollAfterSeconds }
    return { success: true, message: 'Success', data, meta }
  }

  #take({ results }: { results: CheckResult[] }): { data: BatchVerdict[] } {
    if (results.length === 0 || results.length > resultsPerRequest) {
      throw new ApiError('validation_failed', 'Validation failed', { errors: { results: 'from 1 to 1000' } })
    }
    return { data: results.map(result => this.#takeOne(result)) }
  }

  #hear(body: Heartbeat) {
    this.heartbeats.push(body)
    return { success: true, message: 'Heard', data: { ...heard, next_heartbeat_seconds: this.nextHeartbeatSeconds } }
  }

  #takeOne(result: CheckResult): BatchVerdict {
    const monitor = this.monitors.get(result.monitor_id)
    if (monitor === undefined) return { ok: false, error: 'No such monitor' }
    const runId = result.run_id ?? `anonymous-${this.results.length}`
    if (this.#runs.has(runId)) this.repeated++
    else this.results.push(result)
    this.#runs.add(runId)
    const failed = result.status !== 'online'
    monitor.dueAt =
      Date.parse(result.checked_at ?? iso(this.now())) + (failed ? monitor.retryMs : monitor.interval * 1000)
    const status = !monitor.enabled ? 'paused' : failed ? 'offline' : 'online'
    return { ok: true, status, next_due_at: monitor.enabled ? iso(monitor.dueAt) : null }
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

function send(response: ServerResponse, status: number, body: unknown, retryAfter?: number): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  })
  response.end(JSON.stringify(body))
}
