import type { TraceSummary } from '@watchpost/contract'

export interface Dot {
  trace: TraceSummary
  /** From the left, 0 to 1. */
  x: number
  /** From the top, 0 to 1: the longest is at the top. */
  y: number
}

export interface Scatter {
  dots: Dot[]
  /** Epoch ms. */
  from: number
  to: number
  longestMs: number
}

/** Traces by when they began and how long they took: what stands out is seen before it is read. */
export function scatterOf(traces: TraceSummary[]): Scatter {
  const times = traces.map(trace => Date.parse(trace.started_at))
  const from = Math.min(...times)
  const to = Math.max(...times)
  const longestMs = Math.max(...traces.map(trace => trace.duration_ms))
  const share = (part: number, whole: number) => (whole === 0 ? 0.5 : part / whole)
  const dots = traces.map((trace, at) => ({
    trace,
    x: share((times[at] as number) - from, to - from),
    y: 1 - share(trace.duration_ms, longestMs),
  }))
  return { dots, from, to, longestMs }
}
