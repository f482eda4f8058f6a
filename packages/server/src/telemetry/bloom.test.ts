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

test('filters of the same things are wrong about different ones, and seldom', () => {
  const blooms = Array.from({ length: 100 }, () => Bloom.of(200))
  for (const bloom of blooms) for (let at = 0; at < 800; at++) bloom.add(wordHash(`there ${at}`))
  const wrong = Array.from({ length: 2000 }, (_, at) => {
    const hash = wordHash(`absent ${at}`)
    return blooms.filter(bloom => bloom.has(hash)).length
  })
  expect(Math.max(...wrong)).toBeLessThan(8)
  expect(wrong.reduce((sum, each) => sum + each, 0) / 200_000).toBeLessThan(0.004)
  for (const bloom of blooms) {
    const lost = Array.from({ length: 800 }, (_, at) => at).filter(at => !bloom.has(wordHash(`there ${at}`)))
    expect(lost).toEqual([])
  }
})

test('a filter without a salt is read as it was written', () => {
  const bloom = new Bloom(new Uint8Array(16))
  bloom.add(wordHash('cart'))
  expect(Buffer.from(bloom.bytes).toString('hex')).toBe('00000000080000040000020000000000')
  expect([bloom.has(wordHash('cart')), bloom.has(wordHash('order'))]).toEqual([true, false])
})
