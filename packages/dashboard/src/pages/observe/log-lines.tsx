import type { LogEntry } from '@watchpost/contract'
import { useState } from 'react'
import { exactly } from '../../core/format.ts'
import { Link } from '../../core/router.tsx'
import { Attributes, textOf } from './attributes.tsx'

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** A name for a record, which has none: what it says, when and where. */
export const keyOf = (entry: LogEntry): string =>
  `${entry.timestamp} ${entry.service} ${entry.span_id} ${textOf(entry.body)} ${JSON.stringify(entry.attributes)}`

export const toneOf = (severity: number): string => (severity >= 17 ? 'bad' : severity >= 13 ? 'warn' : 'plain')

/** Log records, a line each; one that is opened shows all it has. */
export function LogLines(props: {
  entries: LogEntry[]
  id: string
  /** Without the service and the way to the trace: one is there. */
  plain?: boolean
  onAsk?: (key: string, value: unknown) => void
}) {
  const { entries, id, plain = false, onAsk } = props
  const [opened, setOpened] = useState<string>()
  const today = day.format(new Date())
  const seen = new Map<string, number>()
  return (
    <ol className="log-lines">
      {entries.map(entry => {
        const said = keyOf(entry)
        const times = seen.get(said) ?? 0
        seen.set(said, times + 1)
        const key = times === 0 ? said : `${said} ${times}`
        const at = new Date(entry.timestamp)
        const open = opened === key
        return (
          <li key={key} className={toneOf(entry.severity_number)}>
            <button
              type="button"
              className="log-line"
              aria-expanded={open}
              onClick={() => setOpened(open ? undefined : key)}
            >
              <time dateTime={entry.timestamp} title={exactly(entry.timestamp)}>
                {day.format(at) === today ? '' : `${day.format(at)} `}
                {clock.format(at)}
              </time>
              <b>{entry.severity}</b>
              {!plain && <span className="log-service">{entry.service}</span>}
              <span className="log-body">{textOf(entry.body)}</span>
            </button>
            {open && (
              <div className="span-details">
                {typeof entry.body !== 'string' && <pre>{JSON.stringify(entry.body, null, 2)}</pre>}
                <p className="quiet">
                  {exactly(entry.timestamp)} · {entry.service}
                  {entry.trace_id !== null && !plain && (
                    <>
                      {' · '}
                      <Link className="text" to={`/apps/${id}/traces/${entry.trace_id}`}>
                        Show its trace
                      </Link>
                    </>
                  )}
                </p>
                <Attributes title="Attributes" of={entry.attributes} onAsk={onAsk} />
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
