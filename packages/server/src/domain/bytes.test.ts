import { expect, test } from 'vitest'
import { ByteReader, ByteWriter } from './bytes.ts'

const numbers = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 + 5, 1_800_000_000_000, Number.MAX_SAFE_INTEGER]

test('numbers come back as they were, whatever their size', () => {
  const writer = new ByteWriter(1)
  for (const number of numbers) writer.varint(number)
  for (const number of numbers.slice(0, -1)) writer.signed(-number)
  writer.short(65_535)
  const reader = new ByteReader(writer.view())
  expect(numbers.map(() => reader.varint())).toEqual(numbers)
  expect(numbers.slice(0, -1).map(() => 0 - reader.signed())).toEqual(numbers.slice(0, -1))
  expect([reader.short(), reader.done]).toEqual([65_535, true])
})

test('bytes that end too early, and numbers beyond what is exact, are refused', () => {
  expect(() => new ByteReader(new Uint8Array([0x80])).varint()).toThrow('end too early')
  expect(() => new ByteReader(new Uint8Array(9).fill(0xff)).varint()).toThrow()
  expect(() => new ByteReader(new Uint8Array([...Array(8).fill(0xff), 0x7f])).varint()).toThrow('too large')
})
