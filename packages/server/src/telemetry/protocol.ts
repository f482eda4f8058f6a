import type { QuotaName } from '@watchpost/contract'
import type { AppOfKey } from '@watchpost/store'
import type { MediaType, Signal } from '../ingest/otlp.ts'

/** What the main thread and those of telemetry say to each other. */

export type OfApp = Pick<AppOfKey, 'team_id' | 'id' | 'name'>

/** A request whose sender is known and whose body has arrived. */
export interface Sent {
  id: number
  app: OfApp
  signal: Signal
  media: MediaType
  encoding: 'identity' | 'gzip' | 'deflate'
  body: Uint8Array
  /** When it had arrived, epoch ms. */
  at: number
}

/** Why nothing of a request was kept because of a quota. */
export interface Exceeded {
  quota: QuotaName
  limit: number
  used: number
  resetAt: number
}

/** What became of a request. */
export interface Answer {
  id: number
  status: 200 | 400 | 413 | 429 | 503
  /** Items that were left out. */
  rejected: number
  /** Why, or what is wrong. */
  reason: string
  exceeded?: Exceeded
}

/** What a commit counted. */
export interface Delta {
  team_id: number
  app_id: number
  period: string
  quota: QuotaName
  amount: number
  from_top_up: number
  /** Whether there is a limit, and thresholds on the way to it. */
  limited: boolean
}

/** A commit whose counts belong into the usage of the apps. */
export interface Counted {
  day: number
  seq: number
  deltas: Delta[]
}

/** How many days telemetry is kept. */
export interface KeptDays {
  telemetry: number
  points: number
}

export interface ThreadData {
  role: 'writer' | 'reader'
  dataDir: string
  databaseUrl: string | undefined
  largestBody: number
  /** How long each family is kept. */
  days: KeptDays
  /** Series of metrics that an app may begin within an hour; 0 for any. */
  newSeriesHour: number
}

export type ToWriter = { send: Sent[]; more: boolean } | { answered: number[] } | { lost: number[] } | { close: true }

export type FromWriter =
  | { ready: true; counted: Counted[] }
  | { answers: Answer[]; counted: Counted[] }
  | { event: true }
  | { trouble: string }
  | { closed: true }
