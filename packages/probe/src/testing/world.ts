import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckResult, Outcome } from '@watchpost/contract'
import type { Address } from '../config.ts'
import { runDaemon } from '../daemon.ts'
import { createLogger } from '../logger.ts'
import type { ReportPace } from '../report.ts'
import type { CheckRunner } from '../run.ts'
import { ControlPlane, token } from './control-plane.ts'
import { Target } from './target.ts'

/** A check of the simplest kind, against real sockets. */
const look: CheckRunner = async (check, { signal } = {}) => {
  const began = performance.now()
  const outcome = (status: Outcome['status'], error_kind: Outcome['error_kind'] = null): Outcome => ({
    status,
    response_time_ms: status === 'online' ? performance.now() - began : null,
    error_kind,
    error_message: error_kind,
    timings: {},
    details: {},
  })
  if (check.type === 'tcp') return outcome('offline', 'connect_timeout')
  if (check.type === 'ping') return outcome('error', 'probe_permission')
  try {
    const response = await fetch(check.target, { signal: signal ?? null, headers: { connection: 'close' } })
    await response.text()
    return response.ok ? outcome('online') : outcome('offline', 'http_status')
  } catch {
    return outcome('offline', 'connect_refused')
  }
}

const pace: Partial<ReportPace> = { backoff: { firstMs: 50, longestMs: 200 }, gatherMs: 10 }

interface Running {
  stop: AbortController
  ended: Promise<number>
  /** What it said once it was running. */
  facts: Record<string, string>[]
}

/** A control plane, a target and the probes between them, all on real sockets, with a spool directory of their own. */
export class World {
  log = ''
  readonly dir = mkdtempSync(join(tmpdir(), 'watchpost-probe-'))
  readonly plane: ControlPlane
  readonly target: Target
  readonly #running: Running[] = []

  private constructor(plane: ControlPlane, target: Target) {
    this.plane = plane
    this.target = target
  }

  static async make(): Promise<World> {
    return new World(await ControlPlane.start(), await Target.start())
  }

  start(
    more: {
      token?: string
      concurrency?: number
      witness?: Address[]
      healthListen?: Address
      pace?: Partial<ReportPace>
    } = {},
  ): Running {
    const stop = new AbortController()
    const facts: Record<string, string>[] = []
    const ended = runDaemon({
      config: {
        server: this.plane.url,
        token: more.token ?? token,
        spoolDir: this.dir,
        concurrency: more.concurrency ?? 100,
        name: 'test (1)',
        spoolSize: 1e9,
        witness: more.witness ?? [],
        healthListen: more.healthListen,
        logLevel: 'info',
        logFormat: 'pretty',
      },
      runCheck: look,
      log: createLogger({
        level: 'info',
        format: 'pretty',
        name: 'test',
        write: line => {
          this.log += line
        },
      }),
      stop: stop.signal,
      onRunning: said => facts.push(said),
      pace: { ...pace, ...more.pace },
    })
    const daemon = { stop, ended, facts }
    this.#running.push(daemon)
    return daemon
  }

  /** Files of results in the spool directory. */
  spoolFiles(): string[] {
    return readdirSync(this.dir).filter(name => /^\d+\.jsonl$/.test(name))
  }

  async end(): Promise<void> {
    for (const { stop } of this.#running) stop.abort()
    await Promise.allSettled(this.#running.map(({ ended }) => ended))
    await this.plane.down()
    await this.target.stop()
    rmSync(this.dir, { recursive: true, force: true })
  }
}

/** When a result's check began, in epoch milliseconds. */
export function checkedAt(result: CheckResult | undefined): number {
  return Date.parse(result?.checked_at ?? '')
}
