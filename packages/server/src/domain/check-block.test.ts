import { describe, expect, test } from 'vitest'
import { CheckBlock, checksPerBlock, decodeBlock, type KeptCheck } from './check-block.ts'

const at = 1_800_000_000_000
const check = (more: Partial<KeptCheck> = {}): KeptCheck => {
  const checked_at = more.checked_at ?? at
  return {
    status: 'online',
    response_us: 20_123,
    probe_id: 3,
    run: 'named',
    due_at: checked_at - 12,
    nonce: 40_000,
    evidence: false,
    ...more,
    checked_at,
  }
}
const blockOf = (checks: KeptCheck[]) => {
  const block = new CheckBlock()
  for (const each of checks) block.append(each)
  return block
}

describe('a block of checks', () => {
  const odd = [
    check(),
    check({ checked_at: at + 60_003, status: 'offline', response_us: null, evidence: true }),
    check({ checked_at: at + 30_000, status: 'error', response_us: 0, probe_id: 70_000 }),
    check({ checked_at: at + 120_000, run: 'given', due_at: at + 120_000, nonce: 0 }),
    check({ checked_at: at + 120_000, run: 'foreign', due_at: at + 120_000, nonce: 65_535, evidence: true }),
    check({
      checked_at: at + 180_000,
      timings: { resolve_ms: 0, connect_ms: 12.8, tls_ms: 900.1, transfer_ms: 3_600_000 },
    }),
    check({ checked_at: at + 180_001, timings: { first_byte_ms: 0.1 } }),
    check({ checked_at: at - 86_000_000, due_at: at, response_us: 3_600_000_000 }),
  ]

  test('gives back what was put in, in that order', () => {
    expect(decodeBlock(blockOf(odd).bytes())).toEqual(odd)
  })

  test('goes on where it stopped after being read again', () => {
    for (let cut = 0; cut <= odd.length; cut++) {
      const block = new CheckBlock(blockOf(odd.slice(0, cut)).bytes())
      for (const each of odd.slice(cut)) block.append(each)
      expect(decodeBlock(block.bytes())).toEqual(odd)
      expect([block.count, block.firstAt]).toEqual([odd.length, at - 86_000_000])
    }
  })

  test('takes ten bytes a check at most, as a probe sees the world', () => {
    const jitter = (index: number) => (index * 7919) % 40
    const checks = Array.from({ length: checksPerBlock }, (_, index) => {
      const due_at = at + index * 60_000
      return check({ checked_at: due_at + jitter(index), due_at, response_us: 20_000 + jitter(index) * 911 })
    })
    const block = blockOf(checks)
    expect(decodeBlock(block.bytes())).toEqual(checks)
    expect(block.bytes().length / checks.length).toBeLessThan(10)
  })

  test('is refused where its bytes are cut or are something else', () => {
    const bytes = blockOf(odd).bytes()
    expect(() => decodeBlock(bytes.subarray(0, -1))).toThrow(RangeError)
    expect(() => decodeBlock(new Uint8Array([3, 0, 0, 0]))).toThrow('no block')
  })
})
