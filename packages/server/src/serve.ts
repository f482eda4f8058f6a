import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ingestRoutes, otlpRoutes, routes } from '@watchpost/contract'
import { type Db, makeDataDir } from '@watchpost/store'
import type { FastifyInstance } from 'fastify'
import { handlers } from './api/index.ts'
import { PublishedPages } from './api/published-status.ts'
import { bootstrap, hasTeam, type NewTeam } from './bootstrap.ts'
import { Changes, tellingChanges } from './changes.ts'
import { createChannels } from './channels/index.ts'
import { type Address, type Config, OperatorError } from './config.ts'
import type { Context } from './context.ts'
import { pagePath, withoutSlash } from './domain/page-path.ts'
import { Turns } from './domain/turns.ts'
import { EmbeddedProbe } from './embedded-probe.ts'
import type { Entrances } from './http/admit.ts'
import { createApp } from './http/app.ts'
import { answerEarly } from './http/early.ts'
import type { SessionCaller, UserCaller } from './http/handler.ts'
import { limitRequests } from './http/rate-limit.ts'
import { registerRoutes } from './http/register.ts'
import { instanceKey } from './instance-key.ts'
import { createLog } from './log.ts'
import { openStore } from './open-store.ts'
import { LiveProbes } from './results/live-probes.ts'
import { ResultWriter } from './results/writer.ts'
import { RumWriter } from './rum/writer.ts'
import { createKeyring } from './secrets.ts'
import { registerDashboard } from './surfaces/dashboard.ts'
import { registerDocument } from './surfaces/document.ts'
import { registerHealth } from './surfaces/health.ts'
import { KnownApps } from './surfaces/known-apps.ts'
import { KnownProbes } from './surfaces/known-probes.ts'
import { registerMetrics } from './surfaces/metrics.ts'
import { createOtlpApp, registerOtlp } from './surfaces/otlp.ts'
import { authenticateProbe } from './surfaces/probe.ts'
import { registerRum } from './surfaces/rum.ts'
import { registerRumScript } from './surfaces/rum-script.ts'
import { sessionDoor } from './surfaces/session.ts'
import { registerSite } from './surfaces/site.ts'
import { authenticateUser } from './surfaces/user.ts'
import { Telemetry } from './telemetry/telemetry.ts'
import { CatchUpWorker } from './workers/catch-up.ts'
import { DeliveryWorker } from './workers/deliver.ts'
import { forgetting } from './workers/forget.ts'
import { KnownDomains } from './workers/known-domains.ts'
import { KnownWindows } from './workers/known-windows.ts'
import { Seen } from './workers/last-seen.ts'
import { LateChecks } from './workers/late-checks.ts'
import { subscriberMails } from './workers/mail-subscribers.ts'
import { MaintenanceWorker } from './workers/maintenance.ts'
import { reminders } from './workers/remind.ts'
import { RetentionWorker } from './workers/retention.ts'
import { RollupWorker } from './workers/rollup.ts'

export interface Serving {
  url: string
  otlpUrl: string | null
  /** What the first start made, on the first start with an embedded probe only. */
  firstTeam: NewTeam | undefined
  /** Stops accepting, finishes what was acknowledged, closes everything in reverse. */
  close(): Promise<void>
}

/** Wires everything: opened in order, closed in reverse. Resolves once requests are accepted. */
export async function serve(config: Config, withProbe: boolean): Promise<Serving> {
  const closing: (() => Promise<unknown>)[] = []
  // Every step is run, whatever the others did; the first trouble is the one to tell.
  const close = async () => {
    const troubles: unknown[] = []
    for (const step of closing.splice(0).reverse()) await step().catch(error => troubles.push(error))
    if (troubles.length > 0) throw troubles[0]
  }
  try {
    return await open(config, withProbe, closing, close)
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

async function open(
  config: Config,
  withProbe: boolean,
  closing: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<Serving> {
  const log = createLog(config)
  const changes = new Changes()
  const db = tellingChanges(await openStore(config, { server: true }), changes)
  closing.push(() => db.close())
  if (withProbe) makeDataDir(config.dataDir)
  const keyring = createKeyring(instanceKey(config))
  const seen = new Seen()
  const stopping = new AbortController()
  const windows = new KnownWindows({ changes, db, log })
  let url = ''
  const live = new LiveProbes(db, Date.now)
  const results = new ResultWriter({ db, changes, windows, live, now: Date.now, eventCommitted: () => worker.notify() })
  const context: Context = {
    db,
    config,
    log,
    keyring,
    changes,
    seen,
    live,
    results,
    probes: new KnownProbes(db, Date.now),
    apps: new KnownApps(db, changes, Date.now),
    windows,
    domains: new KnownDomains(db, log),
    telemetry: new Telemetry({ db, config, log, now: Date.now, eventCommitted: () => worker.notify() }),
    rum: new RumWriter({ db, log, now: Date.now, eventCommitted: () => worker.notify() }),
    channels: createChannels(config),
    backtests: new Turns(4, 1),
    siteUrl: () => config.publicUrl ?? url,
    startedAt: Date.now(),
    now: Date.now,
    stopping: stopping.signal,
    eventCommitted: () => worker.notify(),
  }
  const flusher = setInterval(() => flushSeen(context), 5000)
  closing.push(async () => {
    clearInterval(flusher)
    await seen.flush(db)
  })
  const worker = new DeliveryWorker(context)
  await worker.start(db.engine === 'sqlite')
  closing.push(() => worker.stop())
  await context.windows.start()
  closing.push(() => context.windows.stop())
  await results.open()
  await context.telemetry.open()
  closing.push(() => context.telemetry.close())
  closing.push(() => context.rum.settle())
  const catchUp = new CatchUpWorker(context)
  closing.push(() => catchUp.stop())
  const retention = new RetentionWorker(context)
  await retention.start()
  closing.push(() => retention.stop())
  const maintenance = new MaintenanceWorker(context)
  maintenance.start()
  closing.push(() => maintenance.stop())
  const late = new LateChecks(context)
  late.start()
  closing.push(() => late.stop())
  const rollups = new RollupWorker(context)
  rollups.start()
  closing.push(() => rollups.stop())
  await context.domains.start()
  closing.push(() => context.domains.stop())
  for (const chore of [reminders(context), forgetting(context), subscriberMails(context)]) {
    chore.start()
    closing.push(() => chore.stop())
  }

  const app = createApi(context)
  url = await listen(app, config.listen, '--listen')
  closing.push(() => closeApp(app))
  closing.push(async () => stopping.abort())
  let otlpUrl: string | null = null
  if (config.otlpListen !== null) {
    const otlp = createOtlpApp(context)
    otlpUrl = await listen(otlp, config.otlpListen, '--otlp-listen')
    closing.push(() => closeApp(otlp))
  }
  if (withProbe) {
    const probe = new EmbeddedProbe(context, fileURLToPath(new URL('../bin/watchpost-probe', import.meta.url)))
    await probe.start(url)
    context.look = (team_id, check, privateAddresses) => probe.look(team_id, check, privateAddresses)
    // Last opened, first closed: what it hands in at its end must still be accepted.
    closing.push(() => probe.stop())
  }
  // Last, when nothing can fail any more: what it makes is shown once, and a start that failed would have shown nothing.
  const firstTeam = await firstStart(db, withProbe, config)
  // The probe beside the server is watched from the start, and not only by the next turn.
  if (withProbe) await late.look()
  if (firstTeam === undefined && !(await hasTeam(db))) {
    log.warn('there is no team yet; make the first with: watchpost-server bootstrap')
  }
  return { url: config.publicUrl ?? url, otlpUrl, firstTeam, close }
}

/** Everything that is served on the main address. */
function createApi(context: Context): FastifyInstance {
  const app = createApp(context.log, { ...routes, ...otlpRoutes, ...ingestRoutes }, (host, url) => {
    const slug = context.domains.slugOf(host)
    return withoutSlash(slug === undefined ? url : pagePath(slug, url))
  })
  const counts = limitRequests(app, context)
  registerHealth(app, context)
  registerMetrics(app, context)
  registerSite(app)
  registerDashboard(app, context, fileURLToPath(new URL('dashboard', import.meta.url)))
  registerDocument(app)
  const door = sessionDoor(context, counts)
  const visitor = { authenticate: door.visitor, guardWrite: door.guardEntry }
  const entrances: Entrances = {
    user: {
      authenticate: authenticateUser(context, door),
      count: counts.user,
      guardWrite: (request, { session }: UserCaller) => session && door.guardWrite(request, session),
    },
    session: {
      authenticate: door.session,
      count: counts.session,
      guardWrite: (request, { session }: SessionCaller) => door.guardWrite(request, session),
    },
    login: { ...visitor, count: counts.login },
    // Where it is closed there is nothing to guess.
    registration: {
      ...visitor,
      count: context.config.registration === 'open' ? counts.registration : counts.anonymous,
    },
    // Its text cannot be guessed; passwords that are tried with it are counted by account.
    invitation: { ...visitor, count: counts.anonymous },
    probe: { authenticate: authenticateProbe(context), count: counts.probe },
    public: { authenticate: async () => undefined, count: counts.anonymous },
    subscription: { authenticate: async () => undefined, count: counts.subscription },
  }
  const pages = new PublishedPages()
  registerRoutes(app, routes, handlers(pages), entrances, context)
  // Once it ends, the router says so.
  const find = (url: string) => (context.stopping.aborted ? undefined : pages.at(context, url))
  answerEarly(app.server, find, counts)
  registerOtlp(app, context, counts.anonymous)
  registerRum(app, context, counts)
  registerRumScript(app)
  return app
}

async function firstStart(db: Db, withProbe: boolean, { defaultPlan: plan }: Config): Promise<NewTeam | undefined> {
  if (!withProbe || (await hasTeam(db))) return undefined
  return bootstrap(db, Date.now(), { email: 'owner@localhost', name: 'My team', plan })
}

/** A client that holds half a request open must not hold up the end for long. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const lastResort = setTimeout(() => app.server.closeAllConnections(), 2000)
  await app.close()
  clearTimeout(lastResort)
}

async function listen(app: FastifyInstance, { host, port }: Address, flag: string): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new OperatorError(`Port ${port} of ${host} is taken; stop what uses it, or choose another with ${flag}`)
    }
    throw new OperatorError(`Cannot listen on ${host}:${port} (${code}); choose another address with ${flag}`)
  }
  const taken = app.server.address() as AddressInfo
  return `http://${taken.family === 'IPv6' ? `[${taken.address}]` : taken.address}:${taken.port}`
}

async function flushSeen(context: Context): Promise<void> {
  try {
    await context.seen.flush(context.db)
  } catch (error) {
    context.log.warn({ err: error }, 'when tokens were last used is not written yet; trying again')
  }
}
