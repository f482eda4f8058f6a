import type { Check } from '@watchpost/checks'
import type { Outcome } from '@watchpost/contract'
import type { Db } from '@watchpost/store'
import type { Logger } from 'pino'
import type { Changes } from './changes.ts'
import type { Channels } from './channels/index.ts'
import type { Config } from './config.ts'
import type { Turns } from './domain/turns.ts'
import type { Audit } from './http/audit.ts'
import type { LiveProbes } from './results/live-probes.ts'
import type { ResultWriter } from './results/writer.ts'
import type { RumWriter } from './rum/writer.ts'
import type { Keyring } from './secrets.ts'
import type { KnownApps } from './surfaces/known-apps.ts'
import type { KnownProbes } from './surfaces/known-probes.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import type { KnownDomains } from './workers/known-domains.ts'
import type { KnownWindows } from './workers/known-windows.ts'
import type { Seen } from './workers/last-seen.ts'

/** What every handler and worker is given; made once, in `serve.ts`. */
export interface Context {
  db: Db
  config: Config
  log: Logger
  keyring: Keyring
  /** What was written of each team, for whatever is computed from it. */
  changes: Changes
  /** Who the tokens of probes belong to. */
  probes: KnownProbes
  /** Whose telemetry it is, by the token that it comes with. */
  apps: KnownApps
  /** Which probes were heard from lately, wherever they ask. */
  live: LiveProbes
  /** Takes the results of probes. */
  results: ResultWriter
  /** When tokens and probes were last seen, gathered here and written every few seconds. */
  seen: Seen
  /** Maintenance windows of all teams, in memory. */
  windows: KnownWindows
  /** Host names that are status pages. */
  domains: KnownDomains
  /** Takes telemetry, and answers what was taken. */
  telemetry: Telemetry
  /** Takes events of browsers. */
  rum: RumWriter
  /** How people and programs are told. */
  channels: Channels
  /** Backtests that are under way. */
  backtests: Turns
  /** Looks at a target once, now: by the probe beside this server, where there is one. */
  look?: (team_id: number, check: Check, privateAddresses: 'allow' | 'deny') => Promise<Outcome>
  /** Where people find this server. */
  siteUrl(): string
  /** The request holds its writes to what was read (`If-Match`): on a conflict nothing is decided anew. */
  exact?: true
  /** What the log will say of the request, where it is one that writes. */
  audit?: Audit
  /** Since when this process serves, epoch ms: probes were not heard from before it. */
  startedAt: number
  /** Epoch ms; a fake one in tests. */
  now(): number
  /** Aborted when the server is about to end: what would go on for ever ends then. */
  stopping: AbortSignal
  /** Tells the delivery worker that an event was committed. */
  eventCommitted(): void
}
