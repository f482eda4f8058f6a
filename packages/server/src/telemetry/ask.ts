import type {
  LogEntry,
  MetricSeries,
  MetricSummary,
  RumErrorGroup,
  RumPage,
  RumVital,
  ServiceSummary,
  SliceMeta,
  TraceSummary,
} from '@watchpost/contract'
import { type Unavailable, UnavailableError } from '@watchpost/store'
import { type RumSearch, readRumErrors, readRumPages, readRumVitals } from '../rum/read-rum.ts'
import { type RumEvents, readRumVisit, type VisitSearch } from '../rum/read-visit.ts'
import { type FoundVisits, readRumVisits, type VisitsSearch } from '../rum/read-visits.ts'
import type { Archive } from './archive.ts'
import { type LogSearch, readLogs } from './read-logs.ts'
import { hasMetric, type MetricSearch, readMetric, readMetricNames } from './read-metrics.ts'
import { readServices } from './read-services.ts'
import { type Written, writeTrace } from './read-trace.ts'
import { readTraces, type TraceSearch } from './read-traces.ts'

/** What is looked for, with times in epoch ms. */
export interface Search {
  app_id: number
  from: number
  to: number
  limit: number
  cursor: string | undefined
  service: string | undefined
  attributes: [string, string][]
}

export interface Slice<T> {
  rows: T[]
  meta: SliceMeta
}

/** Every question, what it asks with and what it answers. */
export interface Questioned {
  trace: { params: { app_id: number; traceId: string }; answer: Written | undefined }
  traces: { params: TraceSearch; answer: Slice<TraceSummary> }
  services: { params: { app_id: number; from: number; to: number }; answer: Slice<ServiceSummary> }
  logs: { params: LogSearch; answer: Slice<LogEntry> }
  metrics: { params: { app_id: number }; answer: Slice<MetricSummary> }
  hasMetric: { params: { app_id: number; name: string }; answer: boolean }
  metric: { params: MetricSearch; answer: MetricSeries }
  rumVitals: { params: RumSearch; answer: Slice<RumVital> }
  rumErrors: { params: RumSearch; answer: Slice<RumErrorGroup> }
  rumPages: { params: RumSearch; answer: Slice<RumPage> }
  rumVisits: { params: VisitsSearch; answer: FoundVisits }
  rumVisit: { params: VisitSearch; answer: RumEvents }
}

export type Asked<N extends keyof Questioned> = Questioned[N]['params']

export interface ToReader {
  id: number
  name: keyof Questioned
  params: unknown
}

export interface FromReader {
  id: number
  value?: unknown
  error?: {
    message: string
    /** Where it is the store that does not do its work. */
    why: Unavailable | undefined
  }
}

type Answers = { [N in keyof Questioned]: (archive: Archive, params: Asked<N>) => Promise<Questioned[N]['answer']> }

/** Those of an app are put together every few seconds. */
const attempts = 5

/**
 * Blocks may be put together while they are gone through: what was seen of them then is seen anew.
 * @throws {UnavailableError} rather than leave something out
 */
function settled<P extends { app_id: number }, T>(
  ask: (archive: Archive, params: P) => Promise<T>,
): (archive: Archive, params: P) => Promise<T> {
  return async (archive, params) => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const before = await archive.merges(params.app_id)
      const answer = await ask(archive, params)
      if ((await archive.merges(params.app_id)) === before) return answer
    }
    throw new UnavailableError('slow', 'blocks were put together each time that they were read', undefined)
  }
}

export const answers: Answers = {
  trace: settled((archive, { app_id, traceId }) => writeTrace(archive, app_id, traceId)),
  traces: settled(readTraces),
  services: settled(readServices),
  logs: settled(readLogs),
  metrics: readMetricNames,
  hasMetric,
  metric: readMetric,
  rumVitals: ({ main }, search) => readRumVitals(main, search),
  rumErrors: ({ main }, search) => readRumErrors(main, search),
  rumPages: ({ main }, search) => readRumPages(main, search),
  rumVisits: ({ main }, search) => readRumVisits(main, search),
  rumVisit: ({ main }, search) => readRumVisit(main, search),
}
