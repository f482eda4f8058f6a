import { anyValueOf, attributesOf, eachItem, idOf, integerOf, type Json, textOf, unsignedOf } from './json.ts'
import type { Batch, LogRecord, Origin } from './rows.ts'

const names = { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' }

/** Log records of an export request that was sent as JSON. */
export function readLogs(body: Json): Batch<LogRecord> {
  const items: LogRecord[] = []
  eachItem(body, names, (item, origin) => items.push(recordOf(item, origin)))
  return { items, rejected: 0, reason: '' }
}

export function recordOf(item: Json, origin: Origin): LogRecord {
  const time = unsignedOf(item.timeUnixNano, 'timeUnixNano')
  const observed = unsignedOf(item.observedTimeUnixNano, 'observedTimeUnixNano')
  return {
    origin,
    time: time === '0' ? observed : time,
    observed,
    severity: integerOf(item.severityNumber, 'severityNumber'),
    severityText: textOf(item.severityText, 'severityText'),
    body: item.body === undefined || item.body === null ? null : anyValueOf(item.body, 1),
    attributes: attributesOf(item.attributes),
    dropped: integerOf(item.droppedAttributesCount, 'droppedAttributesCount'),
    flags: integerOf(item.flags, 'flags'),
    traceId: idOf(item.traceId, 'traceId'),
    spanId: idOf(item.spanId, 'spanId'),
    eventName: textOf(item.eventName, 'eventName'),
  }
}
