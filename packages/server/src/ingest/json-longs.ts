const quote = 0x22
const backslash = 0x5c
/** Fewer digits are exact as a number. */
const exactDigits = 16

/**
 * JSON whose numbers that look like integers beyond 2^53 stand as text, which every reader of ours takes for the same. Parsing
 * with access to the source of each number would cost ten times as much.
 */
export function withLongsAsText(json: Buffer): string {
  const parts: string[] = []
  let done = 0
  let at = 0
  while (at < json.length) {
    const byte = json[at] as number
    if (byte === quote) at = afterString(json, at + 1)
    else if (isInNumber(byte)) {
      const from = at
      while (at < json.length && isInNumber(json[at] as number)) at++
      const text = at - from < 4 ? undefined : longOf(json.toString('latin1', from, at))
      if (text === undefined) continue
      parts.push(json.toString('utf8', done, from), `"${text}"`)
      done = at
    } else at++
  }
  parts.push(json.toString('utf8', done))
  return parts.join('')
}

function afterString(json: Buffer, from: number): number {
  let at = from
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at + 1
}

/** Digits, and what else a number has after its beginning: `-`, `+`, `.`, `e`. Words of JSON have an `e`, too, and no digits. */
function isInNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e || (byte | 0x20) === 0x65
}

/** @returns the integer in digits; undefined where it is exact as it is, or none */
function longOf(source: string): string | undefined {
  if (/^-?\d+$/.test(source)) return source.length < exactDigits ? undefined : source
  // `1.7e18`, as some write whole seconds in nanoseconds.
  if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(source)) return undefined
  const value = Number(source)
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 64
    ? String(BigInt(value))
    : undefined
}
