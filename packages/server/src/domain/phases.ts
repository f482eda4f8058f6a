import type { Timings } from '@watchpost/contract'
import type { ByteReader, ByteWriter } from './bytes.ts'

/** In the order of their bits, which is how they are stored: a new one goes to the end. */
export const phaseNames = ['resolve_ms', 'connect_ms', 'tls_ms', 'first_byte_ms', 'transfer_ms'] as const

/** A tenth of a millisecond: most phases are one byte then, and nobody looks closer. */
const unitsOfMs = 10
/** Longer than any check. */
const mostMs = 3_600_000
/** What one success in this time is enough for. */
const sampleMs = 300_000

/**
 * Whether the phases of a success are kept beside it: of the first that is due in five minutes, since those of each would
 * make every check twice as long.
 */
export function keepsPhases({ status, due_at }: { status: string; due_at: number }, interval_s: number): boolean {
  return status === 'online' && due_at % sampleMs < interval_s * 1000
}

/** Phases as they are kept: to a tenth of a millisecond. Undefined where there are none. */
export function keptPhases(timings: Timings | undefined): Timings | undefined {
  const kept: Timings = {}
  let some = false
  for (const name of phaseNames) {
    const ms = timings?.[name]
    if (ms === undefined) continue
    kept[name] = Math.round(Math.min(ms, mostMs) * unitsOfMs) / unitsOfMs
    some = true
  }
  return some ? kept : undefined
}

/** A byte that says which there are, and a number for each. */
export function writePhases(writer: ByteWriter, timings: Timings): void {
  const there = phaseNames.filter(name => timings[name] !== undefined)
  writer.byte(there.reduce((bits, name) => bits | (1 << phaseNames.indexOf(name)), 0))
  for (const name of there) writer.varint(Math.round((timings[name] ?? 0) * unitsOfMs))
}

export function readPhases(reader: ByteReader): Timings {
  const bits = reader.byte()
  const timings: Timings = {}
  for (const [at, name] of phaseNames.entries()) {
    if (bits & (1 << at)) timings[name] = reader.varint() / unitsOfMs
  }
  return timings
}
