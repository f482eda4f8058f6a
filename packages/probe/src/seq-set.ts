/**
 * A set of numbers that lie close together, a bit each: an outage of a day is millions of results, and what is known of
 * each that waits on disk must cost next to nothing.
 */
export class SeqSet {
  size = 0
  #base = 0
  #bits = new Uint8Array(0)

  add(seq: number): void {
    if (this.#bits.length === 0) this.#base = seq - (seq % 8)
    if (seq < this.#base) this.#grow(seq - (seq % 8), this.#base + this.#bits.length * 8)
    const index = (seq - this.#base) >> 3
    if (index >= this.#bits.length) this.#grow(this.#base, this.#base + Math.max(64, 2 * (index + 1)) * 8)
    const bit = 1 << ((seq - this.#base) & 7)
    const byte = this.#bits[index] as number
    if ((byte & bit) !== 0) return
    this.#bits[index] = byte | bit
    this.size++
  }

  has(seq: number): boolean {
    return (this.#byteOf(seq) & (1 << ((seq - this.#base) & 7))) !== 0
  }

  /** @returns whether it was in the set */
  delete(seq: number): boolean {
    if (!this.has(seq)) return false
    this.#bits[(seq - this.#base) >> 3] = this.#byteOf(seq) & ~(1 << ((seq - this.#base) & 7))
    this.size--
    return true
  }

  /** In rising order. */
  *[Symbol.iterator](): Generator<number> {
    for (const [index, byte] of this.#bits.entries()) {
      for (let bit = 0; byte >> bit > 0; bit++) if ((byte >> bit) & 1) yield this.#base + index * 8 + bit
    }
  }

  #byteOf(seq: number): number {
    return seq < this.#base ? 0 : (this.#bits[(seq - this.#base) >> 3] ?? 0)
  }

  /** Room for the numbers from `base` to before `end`, both divisible by eight. */
  #grow(base: number, end: number): void {
    const bits = new Uint8Array((end - base) >> 3)
    bits.set(this.#bits, this.#bits.length === 0 ? 0 : (this.#base - base) >> 3)
    this.#base = base
    this.#bits = bits
  }
}
