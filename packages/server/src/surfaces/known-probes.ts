import { type Db, type ProbeRow, probeByHash } from '@watchpost/store'

/** How long a probe is known without being read again, ms: what commands beside the server change is seen after that. */
const knownMs = 1000
/** More probes than that are read again more often. */
const mostKnown = 10_000

/**
 * Probes by the hash of their token. A fleet asks thousands of times a second; on SQLite, which has one server, that
 * server remembers them for a moment, and forgets the one it removes. Replicas on PostgreSQL read each time: removed means
 * refused at once.
 */
export class KnownProbes {
  private readonly db: Db
  private readonly now: () => number
  private readonly known = new Map<string, { probe: ProbeRow; until: number }>()

  constructor(db: Db, now: () => number) {
    this.db = db
    this.now = now
  }

  /** A promise only where it must be read. */
  find(hash: string): ProbeRow | Promise<ProbeRow | undefined> {
    const known = this.known.get(hash)
    return known !== undefined && this.now() < known.until ? known.probe : this.read(hash)
  }

  forget(id: number): void {
    for (const [hash, { probe }] of this.known) if (probe.id === id) this.known.delete(hash)
  }

  private async read(hash: string): Promise<ProbeRow | undefined> {
    const probe = await this.db.one(probeByHash, { hash })
    this.known.delete(hash)
    if (probe !== undefined && this.db.engine === 'sqlite') {
      if (this.known.size >= mostKnown) this.known.clear()
      this.known.set(hash, { probe, until: this.now() + knownMs })
    }
    return probe
  }
}
