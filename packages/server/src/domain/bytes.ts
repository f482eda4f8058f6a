/** Bytes that are written one after another: whole numbers as varints, seven bits a byte, the lowest first. */
export class ByteWriter {
  bytes: Uint8Array
  length = 0

  constructor(capacity = 64) {
    this.bytes = new Uint8Array(capacity)
  }

  /** Makes room, so that what follows need not ask. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const wider = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more))
    wider.set(this.bytes.subarray(0, this.length))
    this.bytes = wider
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  /** @param value whole, from 0 to 2^53 - 1 */
  varint(value: number): void {
    this.reserve(8)
    let rest = value
    while (rest > 0x7f) {
      this.bytes[this.length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.bytes[this.length++] = rest
  }

  /** A number of either sign; small ones are short. */
  signed(value: number): void {
    this.varint(value < 0 ? -value * 2 - 1 : value * 2)
  }

  /** @param value 0 to 65,535 */
  short(value: number): void {
    this.byte(value & 0xff)
    this.byte(value >> 8)
  }

  /** What was written so far; the bytes are shared. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }
}

/** Reads what {@link ByteWriter} wrote; @throws {RangeError} where the bytes end too early or are no number */
export class ByteReader {
  private readonly bytes: Uint8Array
  private at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get done(): boolean {
    return this.at >= this.bytes.length
  }

  byte(): number {
    const value = this.bytes[this.at++]
    if (value === undefined) throw new RangeError('the bytes end too early')
    return value
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte()
      value += (byte % 128) * factor
      if (byte < 128) break
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('a number is too large')
    return value
  }

  signed(): number {
    const value = this.varint()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }

  short(): number {
    return this.byte() + this.byte() * 256
  }

  /** Everything that is left. */
  rest(): Uint8Array {
    const rest = this.bytes.subarray(this.at)
    this.at = this.bytes.length
    return rest
  }
}
