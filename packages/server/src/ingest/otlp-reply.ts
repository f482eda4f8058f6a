import type { OtlpStatus } from '@watchpost/contract'
import type { MediaType, Signal } from './otlp.ts'

const rejectedNames: Record<Signal, string> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
}

/** The answer to a request that was kept: nothing but what was left out, as the exporter asked. */
export function exportReply(signal: Signal, media: MediaType, rejected: number, reason: string): Buffer {
  const whole = rejected === 0 && reason === ''
  if (media === 'application/json') {
    const partialSuccess = {
      ...(rejected === 0 ? {} : { [rejectedNames[signal]]: String(rejected) }),
      errorMessage: reason,
    }
    return Buffer.from(JSON.stringify(whole ? {} : { partialSuccess }))
  }
  if (whole) return Buffer.alloc(0)
  const count = rejected === 0 ? [] : [0x08, ...varint(rejected)]
  return field(1, Buffer.concat([Buffer.from(count), text(2, reason)]))
}

/** `google.rpc.Code` of a status of HTTP. */
export const codes: Record<number, number> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  413: 3,
  415: 3,
  429: 8,
  500: 13,
  503: 14,
}

/** A refusal as a protobuf `google.rpc.Status`, or as the JSON that is one, too. */
export function statusReply(media: MediaType, body: OtlpStatus): Buffer {
  if (media === 'application/json') return Buffer.from(JSON.stringify(body))
  return Buffer.concat([Buffer.from([0x08, ...varint(body.code)]), text(2, body.message)])
}

const text = (number: number, value: string): Buffer => (value === '' ? Buffer.alloc(0) : field(number, value))

function field(number: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(bytes.length)]), bytes])
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
  return bytes
}
