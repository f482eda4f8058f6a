/**
 * Bytes seen as words: held against others, or copied, by eight, in a third of the time that it takes one by one. Neither
 * `Buffer.compare` nor `Buffer.copy` is worth a call for the few dozen bytes of a name or a value.
 */
export class View {
  readonly length: number
  private readonly words: DataView

  constructor({ buffer, byteOffset, length }: Uint8Array) {
    this.words = new DataView(buffer, byteOffset, length)
    // That of a DataView is found out by a call.
    this.length = length
  }

  /** Whether the same bytes stand in both; beyond the end of either there are none. */
  same(at: number, other: View, from: number, length: number): boolean {
    if (at + length > this.length || from + length > other.length) return false
    const { words } = this
    const { words: others } = other
    const last = length - 8
    if (last < 0) return sameFew(words, at, others, from, length)
    for (let place = 0; place < last; place += 8) {
      if (words.getBigInt64(at + place) !== others.getBigInt64(from + place)) return false
    }
    // The last word may overlap the one before it.
    return words.getBigInt64(at + last) === others.getBigInt64(from + last)
  }

  /** Copies bytes to another that has room for them. */
  copy(from: number, length: number, into: View, to: number): void {
    const { words } = this
    const { words: others } = into
    const last = length - 8
    if (last < 0) {
      for (let place = 0; place < length; place++) others.setUint8(to + place, words.getUint8(from + place))
      return
    }
    for (let place = 0; place < last; place += 8) {
      others.setBigInt64(to + place, words.getBigInt64(from + place))
    }
    others.setBigInt64(to + last, words.getBigInt64(from + last))
  }
}

function sameFew(words: DataView, at: number, others: DataView, from: number, length: number): boolean {
  for (let place = 0; place < length; place++) {
    if (words.getUint8(at + place) !== others.getUint8(from + place)) return false
  }
  return true
}
