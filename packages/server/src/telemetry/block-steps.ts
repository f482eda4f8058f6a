import { type Step, type TelemetryDay, telemetryDay } from '@watchpost/store'
import type { LogRecord } from '../ingest/rows.ts'
import { type Block, mostItems } from './block.ts'
import type { BlockIds } from './block-ids.ts'
import { packLogs } from './log-block.ts'
import { type SpanPart, spanSlices } from './prepared-spans.ts'
import { packSpans } from './span-block.ts'

/** The rows that hold spans and logs of one app. */
export function blockSteps(
  app_id: number,
  day: number,
  { spans, logs }: { spans: SpanPart[]; logs: LogRecord[] },
  ids: BlockIds,
  now: number,
): Step[] {
  const queries = telemetryDay(day)
  const blocks = [...spanSlices(spans, mostItems).map(packSpans), ...slices(logs).map(records => packLogs(records))]
  return blocks.map(block => blockStep(queries, app_id, block, ids.next(now)))
}

export function blockStep({ insertBlock }: TelemetryDay, app_id: number, block: Block, id: number): Step {
  const { kind, items, first_at, last_at, services, head, bloom, body } = block
  return {
    query: insertBlock,
    params: { kind, app_id, id, items, first_at, last_at, services, head, bloom, body },
  }
}

/** In pieces of like size, none larger than a block may be. */
function slices<T>(items: T[]): T[][] {
  const count = Math.ceil(items.length / mostItems)
  const size = Math.ceil(items.length / Math.max(1, count))
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
