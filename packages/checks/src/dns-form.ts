const headerBytes = 12
// What dns-packet takes from the message by itself, whatever length the record gives.
const fixedLengths: Record<number, number> = { 1: 4, 28: 16 }

/**
 * Whether every record of a message lies within it, and addresses have the length of addresses: dns-packet reads on
 * into what follows. Names are left to it, it knows pointers that lead nowhere.
 */
export function isWellFormed(message: Buffer): boolean {
  if (message.length < headerBytes) return false
  const questions = message.readUInt16BE(4)
  const records = message.readUInt16BE(6) + message.readUInt16BE(8) + message.readUInt16BE(10)
  let at = headerBytes
  for (let left = questions; left > 0; left--) {
    at = afterName(message, at) + 4
    if (at > message.length) return false
  }
  for (let left = records; left > 0; left--) {
    at = afterName(message, at) + 10
    if (at > message.length) return false
    const length = message.readUInt16BE(at - 2)
    if (length !== (fixedLengths[message.readUInt16BE(at - 10)] ?? length)) return false
    at += length
    if (at > message.length) return false
  }
  return true
}

/** Where a name ends, a pointer being its end, too; past the message where it does not. */
function afterName(message: Buffer, start: number): number {
  let at = start
  while (at < message.length) {
    const length = message[at] ?? 0
    if (length === 0) return at + 1
    if (length >= 0xc0) return at + 2
    at += length + 1
  }
  return message.length + 1
}
