/** How long a request may take to come again. */
const heldMs = 300_000

/**
 * Requests that were kept and whose answers were lost: with this process, or with their connection. Each may come again
 * once; the same bytes sent twice on purpose, and both answered, are two.
 */
export class ComeAgain {
  private readonly held = new Map<string, { rejected: number; until: number }[]>()

  hold(hash: string, rejected: number, now: number): void {
    for (const [hash, each] of this.held) {
      if ((each.at(-1)?.until ?? 0) > now) break
      this.held.delete(hash)
    }
    const each = this.held.get(hash) ?? []
    // Last, so that those which are forgotten first come first.
    this.held.delete(hash)
    this.held.set(hash, [...each, { rejected, until: now + heldMs }])
  }

  /** @returns what was rejected of it then; undefined where none is held */
  take(hash: string, now: number): number | undefined {
    const each = this.held.get(hash)
    const found = each?.shift()
    if (each?.length === 0) this.held.delete(hash)
    return found !== undefined && found.until > now ? found.rejected : undefined
  }
}

const hashBytes = 18
const rowBytes = hashBytes + 4

/** Hashes of a commit, as its row has them. */
export function packHashes(kept: readonly { hash: string; rejected: number }[]): Buffer {
  const bytes = Buffer.alloc(kept.length * rowBytes)
  kept.forEach(({ hash, rejected }, index) => {
    bytes.write(hash, index * rowBytes, 'base64url')
    bytes.writeUInt32LE(rejected, index * rowBytes + hashBytes)
  })
  return bytes
}

export function unpackHashes(packed: Uint8Array): { hash: string; rejected: number }[] {
  const bytes = Buffer.from(packed)
  return Array.from({ length: bytes.length / rowBytes }, (_, index) => ({
    hash: bytes.toString('base64url', index * rowBytes, index * rowBytes + hashBytes),
    rejected: bytes.readUInt32LE(index * rowBytes + hashBytes),
  }))
}
