import { expect, test } from 'vitest'
import { addWords, Bloom, hasWords, wordHash, wordsOf } from './bloom.ts'

test('words that are hashed where they stand are those that are asked for', () => {
  const long = 'x'.repeat(60)
  for (const text of [`GET /Cart_1 answered 200, ${long}Y; "Order-placed"`, 'Straße ÄNDERUNG geschlossen', 'end', '']) {
    const bloom = Bloom.of(100)
    const hashes: number[] = []
    expect(addWords(hashes, text)).toBe(true)
    for (const hash of hashes) bloom.add(hash)
    const words = [...wordsOf(text)]
    expect(words.filter(word => !bloom.has(wordHash(word)))).toEqual([])
    expect(hasWords(text, words)).toBe(true)
    expect(bloom.has(wordHash('cancelled'))).toBe(false)
  }
})

test('a long text is looked through instead', () => {
  const text = `${'filler '.repeat(20_000)}Needle, hay`
  expect(addWords([], text)).toBe(false)
  expect(hasWords(text, ['needle', 'hay'])).toBe(true)
  expect(hasWords(text, ['needl'])).toBe(false)
})
