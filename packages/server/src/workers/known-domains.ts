import { type Db, pageDomains } from '@watchpost/store'
import type { Logger } from 'pino'
import { Repeating } from './repeating.ts'

/** Other replicas set domains too. */
const everyMs = 5000

/** Host names that are status pages, in memory: every request asks. */
export class KnownDomains {
  private readonly db: Db
  private readonly repeating: Repeating
  private slugs = new Map<string, string>()

  constructor(db: Db, log: Logger) {
    this.db = db
    this.repeating = new Repeating('domains of status pages', everyMs, log, () => this.read())
  }

  async start(): Promise<void> {
    await this.read()
    this.repeating.start()
  }

  /** A domain was set or taken away: it holds with the next request. */
  async read(): Promise<void> {
    const rows = await this.db.all(pageDomains, {})
    this.slugs = new Map(rows.map(({ custom_domain, slug }) => [custom_domain, slug]))
  }

  /** The page that a host name is, whatever its port. */
  slugOf(host: string): string | undefined {
    if (this.slugs.size === 0) return undefined
    return this.slugs.get(host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, ''))
  }

  stop(): Promise<void> {
    return this.repeating.stop()
  }
}
