import { type Step, type TelemetryDay, telemetryDay } from '@watchpost/store'
import { type Block, mostItems } from './block.ts'
import type { BlockIds } from './block-ids.ts'
import { packLogs } from './log-block.ts'
import { slicesOf } from './prepared.ts'
import type { LogPart } from './prepared-logs.ts'
import type { SpanPart } from './prepared-spans.ts'
import { packSpans } from './span-block.ts'

/** The rows that hold spans and logs of one app. */
export function blockSteps(
  app_id: number,
  day: number,
  { spans, logs }: { spans: SpanPart[]; logs: LogPart[] },
  ids: BlockIds,
  now: number,
): Step[] {
  const queries = telemetryDay(day)
  const logBlocks = slicesOf(logs, mostItems).map(parts => packLogs(parts))
  const blocks = [...slicesOf(spans, mostItems).map(packSpans), ...logBlocks]
  return blocks.map(block => blockStep(queries, app_id, block, ids.next(now)))
}

export function blockStep({ insertBlock }: TelemetryDay, app_id: number, block: Block, id: number): Step {
  const { kind, items, first_at, last_at, services, head, bloom, body } = block
  return {
    query: insertBlock,
    params: { kind, app_id, id, items, first_at, last_at, services, head, bloom, body },
  }
}
