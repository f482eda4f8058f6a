import type { TraceSummary } from '@watchpost/contract'
import { useMemo } from 'react'
import { exactly, milliseconds, moment } from '../../core/format.ts'
import { navigate } from '../../core/router.tsx'
import { scatterOf } from './scatter.ts'

/** The traces that are listed as dots, each of which leads to its own; the list says the same to who cannot see them. */
export function Durations({ id, traces }: { id: string; traces: TraceSummary[] }) {
  const { dots, from, to, longestMs } = useMemo(() => scatterOf(traces), [traces])
  return (
    <div className="card durations" aria-hidden="true">
      <div className="durations-y">
        <span>{milliseconds(longestMs)}</span>
        <span>0 ms</span>
      </div>
      <svg role="img" aria-label="Traces by when they began and how long they took">
        {dots.map(({ trace, x, y }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list has a link for each
          <circle
            key={trace.trace_id}
            className={trace.error_count > 0 ? 'bad' : ''}
            cx={`${1 + x * 98}%`}
            cy={`${5 + y * 90}%`}
            r="4.5"
            onClick={() => navigate(`/apps/${id}/traces/${trace.trace_id}`)}
          >
            <title>
              {`${trace.root_name ?? trace.trace_id}, ${milliseconds(trace.duration_ms)}, ${exactly(trace.started_at)}`}
            </title>
          </circle>
        ))}
      </svg>
      <div className="durations-x">
        <span>{moment(from)}</span>
        <span>{moment(to)}</span>
      </div>
    </div>
  )
}
