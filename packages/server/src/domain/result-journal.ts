import { ByteReader, ByteWriter } from './bytes.ts'
import { CheckBlock, decodeBlock, type KeptCheck } from './check-block.ts'

/** A result as the journal has it: enough to do again what it did to its monitor. */
export interface JournalEntry {
  monitor_id: number
  /** The monitor's count after this result: a state that counts as many holds it already. */
  seq: number
  planned: boolean
  check: KeptCheck
}

/** Results accepted in one commit as one piece of bytes: about twenty each. */
export function encodeJournal(entries: readonly JournalEntry[]): Uint8Array {
  const writer = new ByteWriter(16 + entries.length * 12)
  const checks = new CheckBlock()
  writer.varint(entries.length)
  for (const { monitor_id, seq, planned, check } of entries) {
    writer.varint(monitor_id)
    writer.varint(seq * 2 + Number(planned))
    checks.append(check)
  }
  const block = checks.bytes()
  writer.reserve(block.length)
  writer.bytes.set(block, writer.length)
  writer.length += block.length
  return writer.view()
}

/** @throws {RangeError} for bytes that {@link encodeJournal} does not write */
export function decodeJournal(bytes: Uint8Array): JournalEntry[] {
  const reader = new ByteReader(bytes)
  const heads = Array.from({ length: reader.varint() }, () => ({ monitor_id: reader.varint(), mark: reader.varint() }))
  const checks = decodeBlock(reader.rest())
  if (checks.length !== heads.length) throw new RangeError('the journal has other checks than it says')
  return heads.map(({ monitor_id, mark }, index) => ({
    monitor_id,
    seq: Math.floor(mark / 2),
    planned: mark % 2 === 1,
    check: checks[index] as KeptCheck,
  }))
}
