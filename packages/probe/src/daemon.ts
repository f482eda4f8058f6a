import {
  type ApiError,
  type BatchVerdict,
  type CheckResult,
  clientOf,
  nodeFetch,
  probeApiRoutes,
} from '@watchpost/contract'
import { ServerClock } from './clock.ts'
import type { Address, RunConfig } from './config.ts'
import { type Health, HealthServer } from './health.ts'
import { HeartbeatSender } from './heartbeat.ts'
import { HeldFile } from './held.ts'
import { HeldKeeper } from './held-keeper.ts'
import { HostReader } from './host.ts'
import type { Logger } from './logger.ts'
import { ProbeMetrics } from './metrics.ts'
import { Network } from './network.ts'
import { Poller } from './poll.ts'
import { Reporter, type ReportPace } from './report.ts'
import { type CheckRunner, Runner, runIds } from './run.ts'
import { type Run, Schedule } from './schedule.ts'
import { Spool } from './spool.ts'
import { StallWatch } from './stall.ts'
import { userAgent } from './version.ts'

/** How the daemon ended, as its exit code. */
export const exitStopped = 0
export const exitUnauthorized = 3

export interface DaemonOptions {
  config: RunConfig
  runCheck: CheckRunner
  log: Logger
  /** Ends the daemon: running checks are finished, their results sent or spooled. */
  stop: AbortSignal
  /** The first poll is over, whether or not the server answered. */
  onRunning: (facts: { server: string; health_url?: string }) => void
  /** After every poll, good or bad. */
  onPolled?: (facts: { ok: boolean; monitors: number; spooled: number }) => void
  pace?: Partial<ReportPace>
}

/** Requests to the server are given up after this. */
const requestTimeoutMs = 15_000
/** The timer is never set further ahead: the estimate of the server's clock may change meanwhile. */
const longestNapMs = 1000
const summaryMs = 60_000

/**
 * Fetches, schedules, runs and reports until stopped.
 * @returns the exit code: 0 stopped, 3 the token is not accepted
 * @throws {SpoolError} when the spool cannot be used, and whatever keeps the health address from being listened on
 */
export async function runDaemon(options: DaemonOptions): Promise<number> {
  const spool = await Spool.open(options.config.spoolDir, { maxBytes: options.config.spoolSize })
  const daemon = new Daemon(options, spool)
  try {
    return await daemon.run()
  } finally {
    await spool.close()
  }
}

/** The wiring: what each part tells the others. Opened in order, closed in reverse. */
class Daemon {
  readonly #options: DaemonOptions
  readonly #spool: Spool
  readonly #clock = new ServerClock()
  readonly #schedule = new Schedule(runIds())
  readonly #stalls = new StallWatch()
  readonly #metrics = new ProbeMetrics()
  readonly #held: HeldKeeper
  readonly #runner: Runner
  readonly #reporter: Reporter
  readonly #poller: Poller
  readonly #heartbeat: HeartbeatSender
  readonly #ended = Promise.withResolvers<'stopped' | 'unauthorized'>()
  #timer: NodeJS.Timeout | undefined
  /** Server time at which the timer fires; undefined while there is none. */
  #timerAt: number | undefined
  #stopping = false
  #running = false
  #reachable = false
  #health: HealthServer | undefined
  #refused: Promise<void> | undefined
  #told = { missed: 0, dropped: 0 }

  constructor(options: DaemonOptions, spool: Spool) {
    const { config, log, runCheck, pace } = options
    this.#options = options
    this.#spool = spool
    const client = clientOf(probeApiRoutes, {
      url: config.server,
      token: config.token,
      timeoutMs: requestTimeoutMs,
      userAgent: userAgent(config.name),
      // The global one brings fifteen megabytes with it.
      fetch: nodeFetch,
    })
    this.#held = new HeldKeeper({
      file: new HeldFile({ dir: config.spoolDir, server: config.server, token: config.token }),
      schedule: this.#schedule,
      now: () => this.#clock.now(),
      wasHeard: () => this.#poller.lastSuccessAt !== undefined,
      log,
    })
    const onUnauthorized = (error: ApiError) => this.#unauthorized(error)
    this.#runner = new Runner({
      runCheck,
      concurrency: config.concurrency,
      now: () => this.#clock.now(),
      stalls: this.#stalls,
      network: new Network({
        witnesses: config.witness,
        server: addressOf(config.server),
        held: () => this.#schedule.size,
      }),
      onDone: (run, result) => this.#done(run, result),
    })
    this.#reporter = new Reporter({
      send: async (results, signal) => (await client.submitResults({ body: { results }, signal })).data,
      spool,
      onVerdict: (result, verdict) => this.#heed(result, verdict),
      onUnauthorized,
      isSound: () => this.#reachable,
      log,
      ...(pace === undefined ? {} : { pace }),
    })
    this.#poller = new Poller({
      getChecks: (query, signal) => client.getChecks({ query, signal }),
      schedule: this.#schedule,
      clock: this.#clock,
      log,
      onPolled: ok => void this.#polled(ok),
      onUnauthorized,
    })
    const host = new HostReader({ spoolDir: config.spoolDir })
    this.#heartbeat = new HeartbeatSender({
      send: async (body, signal) => (await client.submitHeartbeat({ body, signal })).data,
      host: () => host.read(),
      work: () => this.#work(),
      log,
    })
  }

  async run(): Promise<number> {
    const { config, log, stop } = this.#options
    if (config.healthListen !== undefined) {
      this.#health = await HealthServer.listen(
        config.healthListen,
        () => this.#describe(),
        () => this.#metricsText(),
      )
    }
    const onStop = () => this.#ended.resolve('stopped')
    stop.addEventListener('abort', onStop, { once: true })
    if (stop.aborted) onStop()
    if (this.#spool.size > 0)
      log.info({ spooled: this.#spool.size }, 'results left over from the last run will be sent')
    const summary = setInterval(() => this.#summarise(), summaryMs).unref()
    this.#stalls.start()
    this.#reporter.start()
    this.#poller.start()
    this.#heartbeat.start()

    const end = await this.#ended.promise
    this.#stopping = true
    clearTimeout(this.#timer)
    if (end === 'stopped') log.info({ running: this.#runner.running }, 'stopping: finishing what runs')
    await Promise.all([this.#poller.stop(), this.#heartbeat.stop()])
    await (end === 'stopped' ? this.#runner.finish() : this.#runner.abandon())
    await this.#reporter.stop()
    if (end === 'stopped') await this.#held.keepLast()
    await this.#refused
    this.#stalls.stop()
    clearInterval(summary)
    stop.removeEventListener('abort', onStop)
    await this.#health?.close()
    this.#summarise()
    if (end === 'stopped') log.info({ spooled: this.#spool.size }, 'stopped')
    return end === 'stopped' ? exitStopped : exitUnauthorized
  }

  /** Starts what is due, and sets the timer for what is due next: one timer, however many monitors. */
  #tick(): void {
    if (this.#stopping) return
    this.#timerAt = undefined
    for (const run of this.#schedule.takeDue(this.#clock.now())) this.#runner.start(run)
    if (this.#schedule.needsPoll()) this.#poller.nudge()
    this.#arm()
  }

  /** Something may be due sooner than the timer was set for. */
  #arm(): void {
    const next = this.#schedule.nextAt()
    if (this.#stopping || next === undefined) return
    const now = this.#clock.now()
    const nap = Math.min(longestNapMs, Math.max(0, Math.ceil(next - now)))
    if (this.#timerAt !== undefined && this.#timerAt <= now + nap) return
    clearTimeout(this.#timer)
    this.#timerAt = now + nap
    this.#timer = setTimeout(() => this.#tick(), nap)
  }

  #done(run: Run, result: CheckResult | undefined): void {
    this.#schedule.finished(run.check.monitor_id)
    if (result !== undefined) this.#report(run, result)
    this.#arm()
  }

  #report({ runId, slotAt, check: { monitor_id, type } }: Run, result: CheckResult): void {
    const { status, error_kind, error_message } = result
    const startedAt = Date.parse(result.checked_at ?? '')
    this.#metrics.checked(type, status, this.#clock.now() - startedAt, startedAt - slotAt)
    if (status === 'error') {
      this.#options.log.warn({ run_id: runId, monitor_id, error_kind }, `could not check: ${error_message}`)
    }
    const urgent = status !== 'error' && this.#schedule.isNews(monitor_id, status === 'offline')
    void this.#reporter.submit(result, urgent)
  }

  #heed(result: CheckResult, verdict: BatchVerdict): void {
    const { monitor_id, run_id = '' } = result
    if (verdict.status !== undefined) this.#schedule.told(monitor_id, verdict.status)
    if (!verdict.ok) this.#schedule.refused(monitor_id, run_id)
    else if (verdict.next_due_at === null) this.#schedule.verdict(monitor_id, run_id, null)
    else if (verdict.next_due_at !== undefined) {
      const at = Date.parse(verdict.next_due_at)
      if (!Number.isNaN(at)) this.#schedule.verdict(monitor_id, run_id, at)
    }
    this.#arm()
  }

  async #polled(ok: boolean): Promise<void> {
    this.#metrics.polled(ok)
    this.#options.onPolled?.({ ok, monitors: this.#schedule.size, spooled: this.#spool.size })
    if (ok && !this.#reachable) this.#reporter.serverIsBack()
    this.#reachable = ok
    if (ok) this.#held.keep()
    else await this.#held.takeUp()
    this.#tick()
    if (this.#running || this.#stopping) return
    this.#running = true
    const { config, onRunning } = this.#options
    onRunning({ server: config.server, ...(this.#health === undefined ? {} : { health_url: this.#health.url }) })
  }

  #unauthorized(error: ApiError): void {
    if (this.#stopping) return
    this.#stopping = true
    this.#refused = this.#held.forget()
    const { log, config } = this.#options
    const kept = this.#spool.size > 0 ? `; ${this.#spool.size} results stay in ${config.spoolDir}` : ''
    log.error(`${config.server} does not accept this probe's token: ${error.message}${kept}`)
    this.#ended.resolve('unauthorized')
  }

  /** What was given up since it was last said. */
  #summarise(): void {
    const { missed } = this.#schedule
    const { dropped, trouble } = this.#spool
    const { log } = this.#options
    if (trouble !== undefined)
      log.error({ spooled: this.#spool.size }, `results are in memory only: ${trouble.message}`)
    if (dropped > this.#told.dropped) log.error({ dropped }, 'the spool is full: the oldest results were given up')
    if (missed > this.#told.missed)
      log.warn({ missed, queued: this.#runner.queued }, 'checks were skipped: the one before had not ended')
    this.#told = { missed, dropped }
  }

  /** What the server is told with each heartbeat. */
  #work() {
    const { size: monitors, missed } = this.#schedule
    const { running, queued } = this.#runner
    return { monitors, running, queued, missed, spooled: this.#spool.size, dropped: this.#spool.dropped }
  }

  #metricsText(): string {
    return this.#metrics.text({
      ready: this.#describe().ready,
      monitors: this.#schedule.size,
      running: this.#runner.running,
      queued: this.#runner.queued,
      spooled: this.#spool.size,
      spoolBytes: this.#spool.bytes,
      dropped: this.#spool.dropped,
      missed: this.#schedule.missed,
      sent: this.#reporter.sent,
      refused: this.#reporter.refused,
      clockSkewMs: this.#clock.skewMs(),
    })
  }

  #describe(): Health {
    const { lastSuccessAt, trouble } = this.#poller
    return {
      ready: lastSuccessAt !== undefined && trouble === undefined && this.#spool.trouble === undefined,
      server: this.#options.config.server,
      trouble: trouble ?? this.#spool.trouble?.message ?? null,
      monitors: this.#schedule.size,
      running: this.#runner.running,
      queued: this.#runner.queued,
      spooled: this.#spool.size,
      sent: this.#reporter.sent,
      refused: this.#reporter.refused,
      missed: this.#schedule.missed,
      dropped: this.#spool.dropped,
      clock_skew_ms: Math.round(this.#clock.skewMs()),
    }
  }
}

function addressOf(server: string): Address {
  const { hostname, port, protocol } = new URL(server)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}
