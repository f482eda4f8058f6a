/** What was read lately, up to some bytes of it; what nobody has asked for longest is forgotten first. */
export class Recent<K, V> {
  private readonly most: number
  private readonly known = new Map<K, { value: V; bytes: number }>()
  private bytes = 0

  /** @param most bytes of it, as those who set it count them */
  constructor(most: number) {
    this.most = most
  }

  get(key: K): V | undefined {
    const found = this.known.get(key)
    if (found === undefined) return undefined
    this.known.delete(key)
    this.known.set(key, found)
    return found.value
  }

  set(key: K, value: V, bytes: number): void {
    this.bytes += bytes - (this.known.get(key)?.bytes ?? 0)
    this.known.delete(key)
    this.known.set(key, { value, bytes })
    for (const [oldest, { bytes }] of this.known) {
      if (this.bytes <= this.most) break
      this.known.delete(oldest)
      this.bytes -= bytes
    }
  }
}
