import { describe, expect, it } from 'vitest'
import { SeqSet } from './seq-set.ts'

describe('SeqSet', () => {
  it('does what a set does, for numbers in any order', () => {
    const set = new SeqSet()
    const set2 = new Set<number>()
    let random = 7
    for (let i = 0; i < 5000; i++) {
      random = (random * 1103515245 + 12345) % 2147483648
      const seq = 1_000_000 + (random % 700)
      if (random % 3 === 0) expect(set.delete(seq)).toBe(set2.delete(seq))
      else {
        set.add(seq)
        set2.add(seq)
      }
      expect(set.has(seq)).toBe(set2.has(seq))
    }
    expect(set.size).toBe(set2.size)
    expect([...set]).toEqual([...set2].sort((a, b) => a - b))
    for (const absent of [0, 7, 999_999, 1_000_701, 2_000_000]) expect(set.has(absent)).toBe(false)
  })

  it('is empty once everything was taken out', () => {
    const set = new SeqSet()
    for (let seq = 123; seq < 456; seq++) set.add(seq)
    for (const seq of [...set]) set.delete(seq)
    expect([set.size, [...set]]).toEqual([0, []])
  })
})
