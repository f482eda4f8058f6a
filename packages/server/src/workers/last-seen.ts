import { type Db, type Step, touchProbe, touchSession, touchToken } from '@watchpost/store'

/**
 * When tokens, probes and log-ins were last seen. Gathered here and written every few seconds: a row written with every request
 * would make all requests of one token wait for each other.
 */
export class Seen {
  private readonly steps = new Map<string, Step>()

  token(team_id: number, id: number, at: number): void {
    this.steps.set(`token ${id}`, { query: touchToken, params: { team_id, id, at } })
  }

  session(hash: string, at: number, expires_at: number): void {
    this.steps.set(`session ${hash}`, { query: touchSession, params: { hash, at, expires_at } })
  }

  /** @param agent the probe's `User-Agent`, which says its version */
  probe(team_id: number, id: number, at: number, agent: string | undefined): void {
    const probe_version = /^watchpost-probe\/([\w.+-]{1,40})/i.exec(agent ?? '')?.[1] ?? null
    this.steps.set(`probe ${id}`, { query: touchProbe, params: { team_id, id, at, probe_version } })
  }

  /** Writes what was gathered; on an error it is gathered still. */
  async flush(db: Db): Promise<void> {
    const entries = [...this.steps]
    if (entries.length === 0) return
    await db.commit(entries.map(([, step]) => step))
    for (const [key, step] of entries) if (this.steps.get(key) === step) this.steps.delete(key)
  }
}
