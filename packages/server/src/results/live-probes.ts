import { type Db, type HeardProbe, heardProbes } from '@watchpost/store'

/** A probe that was heard from within this is live, ms. What it holds ahead passes on to others after it. */
export const liveMs = 15_000
/** How old what is known here may be. */
const knownMs = 1000
/** No lease is longer than that: a probe silent for longer holds nothing. */
const longestLeaseMs = 3_600_000

/** Which probes are there, as the store has it, read at most once a second. */
export class LiveProbes {
  private readonly db: Pick<Db, 'all'>
  private readonly now: () => number
  private heard: HeardProbe[] = []
  private readAt = Number.NEGATIVE_INFINITY
  /** Silent probes, and when they were heard last. */
  private mourned = new Map<number, number>()
  private reading: Promise<void> | undefined

  constructor(db: Pick<Db, 'all'>, now: () => number) {
    this.db = db
    this.now = now
  }

  /** Resolves once what is known is at most a second old. */
  async refresh(): Promise<void> {
    if (this.now() - this.readAt < knownMs) return
    this.reading ??= this.read().finally(() => {
      this.reading = undefined
    })
    return this.reading
  }

  /** It asks right now: that is on its way to the store. */
  heardFrom(probe: HeardProbe): void {
    this.heard = [...this.heard.filter(({ id }) => id !== probe.id), probe]
  }

  find(id: number): HeardProbe | undefined {
    return this.heard.find(probe => probe.id === id)
  }

  /** Whether a live probe other than this one may look at a monitor. @param region null: wherever it is */
  hasAnother(team_id: number, region: string | null, probe_id: number): boolean {
    const from = this.now() - liveMs
    return this.heard.some(
      probe =>
        probe.id !== probe_id &&
        probe.last_seen_at > from &&
        (probe.team_id === 0 || probe.team_id === team_id) &&
        (region === null || probe.region === region),
    )
  }

  /** Whether a probe keeps to a schedule of its own, and must be told what is not its own any more. */
  pollsAhead(id: number): boolean {
    return this.find(id)?.polls_ahead === 1
  }

  /**
   * Whether some probe may hold leases and has not been heard from lately: true once for each time that one falls silent.
   */
  hasNewlyDead(): boolean {
    const now = this.now()
    const dead = this.heard.filter(probe => probe.polls_ahead === 1 && probe.last_seen_at < now - liveMs)
    const fresh = dead.filter(probe => this.mourned.get(probe.id) !== probe.last_seen_at)
    this.mourned = new Map(dead.map(probe => [probe.id, probe.last_seen_at]))
    return fresh.length > 0
  }

  private async read(): Promise<void> {
    const at = this.now()
    this.heard = await this.db.all(heardProbes, { since: at - longestLeaseMs - liveMs })
    this.readAt = at
  }
}
