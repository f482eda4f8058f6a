import type { TraceSpan } from '@watchpost/contract'

/** A span where it is drawn. */
export interface WaterfallRow {
  span: TraceSpan
  depth: number
  /** How many spans are below it. */
  below: number
  /** Percent of the trace before it, and of it. */
  left: number
  width: number
}

export interface Waterfall {
  rows: WaterfallRow[]
  startedAt: number
  durationMs: number
  services: string[]
}

/**
 * Spans in the order of a waterfall: children below their parents, by when they began. One whose parent has not come,
 * or that is its own ancestor by mistake, is shown as a root, so that none is lost.
 */
export function waterfallOf(spans: TraceSpan[]): Waterfall {
  const start = (span: TraceSpan) => Date.parse(span.started_at)
  const startedAt = Math.min(...spans.map(start))
  const durationMs = Math.max(0.001, ...spans.map(span => start(span) + span.duration_ms - startedAt))
  const ids = new Set(spans.map(({ span_id }) => span_id))
  const children = new Map<string | null, TraceSpan[]>()
  for (const span of spans.toSorted((a, b) => start(a) - start(b) || b.duration_ms - a.duration_ms)) {
    const known = span.parent_span_id !== null && ids.has(span.parent_span_id) && span.parent_span_id !== span.span_id
    const parent = known ? span.parent_span_id : null
    children.set(parent, [...(children.get(parent) ?? []), span])
  }
  const rows: WaterfallRow[] = []
  const seen = new Set<TraceSpan>()
  const add = (span: TraceSpan, depth: number) => {
    if (seen.has(span)) return
    seen.add(span)
    const left = ((start(span) - startedAt) / durationMs) * 100
    const row = { span, depth, below: 0, left, width: (span.duration_ms / durationMs) * 100 }
    rows.push(row)
    const at = rows.length
    for (const child of children.get(span.span_id) ?? []) add(child, depth + 1)
    row.below = rows.length - at
  }
  for (const root of children.get(null) ?? []) add(root, 0)
  for (const span of spans) add(span, 0)
  return { rows, startedAt, durationMs, services: [...new Set(rows.map(({ span }) => span.service))] }
}

/** The rows that are left when those below some are folded away. */
export function unfolded(rows: WaterfallRow[], folded: ReadonlySet<string>): WaterfallRow[] {
  const shown: WaterfallRow[] = []
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as WaterfallRow
    shown.push(row)
    if (folded.has(row.span.span_id)) at += row.below
  }
  return shown
}
