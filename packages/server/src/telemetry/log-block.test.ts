import { expect, test } from 'vitest'
import { readLogs } from '../ingest/otlp-logs.ts'
import { LogLines, packLogs } from './log-block.ts'
import { slicesOf } from './prepared.ts'
import { prepareLogs } from './prepared-logs.ts'

const severityText = ['INFO', '', 'wichtig: "größer"\n', '🦊']

/** Of some senders each, whose numbers in a block are others than in their request. */
const requests = Array.from({ length: 5 }, (_, request) => {
  const resourceLogs = Array.from({ length: 3 }, (_, sender) => ({
    resource: { attributes: [{ key: 'service.name', value: { stringValue: `s${(request + sender) % 4}` } }] },
    scopeLogs: [
      {
        scope: { name: `scope ${request}` },
        logRecords: severityText.map((severityText, at) => ({
          timeUnixNano: `${1_700_000_000_000 + request * 100 + sender * 10 + at}000000`,
          observedTimeUnixNano: at === 2 ? '5' : undefined,
          severityNumber: [9, 0, 255, 1000][at],
          severityText,
          body: { stringValue: `said ${at}${at === 1 ? ' grün' : ''}` },
          attributes: [{ key: 'n', value: { intValue: at } }],
          flags: at === 3 ? 1 : 0,
        })),
      },
    ],
  }))
  return readLogs({ resourceLogs }).items
})

test('records come back as they were, whichever request and block they are in', () => {
  const parts = requests.map(records => ({ prepared: prepareLogs(records), from: 0, to: records.length }))
  const blocks = slicesOf(parts, 13).map(each => packLogs(each))
  expect(blocks.map(({ items }) => items)).toEqual([12, 12, 12, 12, 12])
  const read = blocks.flatMap(({ items, body }) => {
    const lines = new LogLines(body)
    expect(lines.count).toBe(items)
    return Array.from({ length: items }, (_, at) => lines.record(at))
  })
  expect(read).toEqual(requests.flat())
})

test('a block says of whom it is, and how many went wrong', () => {
  const records = requests[0] ?? []
  const { services } = packLogs([{ prepared: prepareLogs(records), from: 4, to: 12 }])
  expect(JSON.parse(services)).toEqual([
    ['s1', 4, 2, 1_700_000_000_013],
    ['s2', 4, 2, 1_700_000_000_023],
  ])
})
