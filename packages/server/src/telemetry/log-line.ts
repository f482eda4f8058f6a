import type { Attributes, AttributeValue, LogRecord, Origin } from '../ingest/rows.ts'

/** A record as a line of a body; what is at the end and says nothing is left out. */
type Line = [
  time: string,
  severity: number,
  severityText: string,
  origin: number,
  body: AttributeValue,
  attributes: Attributes,
  traceId?: string,
  spanId?: string,
  observed?: string,
  flags?: number,
  eventName?: string,
  dropped?: number,
]

/** Stands for the number of the sender, which only the block knows, and is as wide as any. */
const unknownOrigin = 9999

/** A line whose sender is still to be written into it. */
export function lineOf(record: LogRecord): string {
  const { traceId, spanId, observed, flags, eventName, dropped } = record
  const line: unknown[] = [
    record.time,
    record.severity,
    record.severityText,
    unknownOrigin,
    record.body,
    record.attributes,
  ]
  const late = observed === record.time ? '' : observed
  if (traceId !== '' || spanId !== '' || late !== '' || flags !== 0 || eventName !== '' || dropped !== 0) {
    line.push(traceId, spanId, late, flags, eventName, dropped)
    while (line.length > 6 && (line.at(-1) === '' || line.at(-1) === 0)) line.pop()
  }
  return JSON.stringify(line)
}

/** Characters of a line before its sender. */
export function originPlace({ time, severity, severityText }: LogRecord): number {
  return time.length + String(severity).length + JSON.stringify(severityText).length + 6
}

/** Writes the number of a sender, with spaces before it. */
export function setOrigin(text: Buffer, from: number, origin: number): void {
  let rest = origin | 0
  for (let at = from + 3; at >= from; at--) {
    text[at] = rest > 0 || at === from + 3 ? 48 + (rest % 10) : 32
    rest = (rest / 10) | 0
  }
}

/** As it was kept. */
export function readRecord(text: string, origins: Origin[]): LogRecord {
  const [time, severity, severityText, origin, body, attributes, traceId = '', spanId = '', ...rest] = JSON.parse(
    text,
  ) as Line
  const [observed = '', flags = 0, eventName = '', dropped = 0] = rest
  const what = { time, observed: observed || time, severity, severityText, body, attributes, dropped, flags }
  return { origin: origins[origin] as Origin, ...what, traceId, spanId, eventName }
}
