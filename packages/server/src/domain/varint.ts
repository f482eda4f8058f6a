/** Bytes of a number too large for a varint of ours, or cut off, or not written by us. */
export class BadBytesError extends Error {
  override name = 'BadBytesError'
}

/** Appends a whole number from 0 to 2^53 - 1, seven bits a byte, the lowest first. */
export function writeVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}

/** Reads whole numbers one after the other. */
export class VarintReader {
  private readonly bytes: Uint8Array
  private at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  get done(): boolean {
    return this.at >= this.bytes.length
  }

  /** What was not read yet. */
  rest(): Uint8Array {
    return this.bytes.subarray(this.at)
  }

  /** @throws {BadBytesError} when the bytes end within the number, or it is beyond what a number holds exactly */
  next(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at]
      if (byte === undefined) throw new BadBytesError('the bytes end within a number')
      this.at++
      value += (byte & 127) * scale
      if (value > Number.MAX_SAFE_INTEGER) throw new BadBytesError('a number is too large')
      if (byte < 128) return value
    }
  }
}
