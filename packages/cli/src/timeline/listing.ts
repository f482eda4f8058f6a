import type { IncidentSummary } from '@watchpost/contract'

/** Incidents as they are read: the open ones, all of them, then the latest of the others. */
export interface Page {
  incidents: IncidentSummary[]
  /** Of all there are. */
  total: number
}

/** How many are read at once. */
export const perPage = 100

/** What is in the list: each reading brings the open ones and the latest; older ones are read when they are asked for, and kept. */
export class Listing {
  readonly #older: (page: number) => Promise<Page>
  #held: Page = { incidents: [], total: 0 }

  constructor(first: Page, older: (page: number) => Promise<Page>) {
    this.#older = older
    this.take(first)
  }

  get incidents(): IncidentSummary[] {
    return this.#held.incidents
  }

  get open(): number {
    return this.incidents.filter(isOpen).length
  }

  /** How many there are beside these. */
  get more(): number {
    return Math.max(0, this.#held.total - this.incidents.length)
  }

  get total(): number {
    return Math.max(this.#held.total, this.incidents.length)
  }

  /** What was just read; of those read before, the ones that are older than all of it stay. */
  take({ incidents, total }: Page): void {
    const ids = new Set(incidents.map(({ id }) => id))
    const last = incidents.at(-1)
    const kept = this.incidents.filter(
      each => !isOpen(each) && !ids.has(each.id) && last !== undefined && !isOpen(last) && isBefore(each, last),
    )
    const open = incidents.filter(isOpen).toSorted((a, b) => (isBefore(a, b) ? 1 : -1))
    this.#held = { incidents: [...open, ...incidents.filter(each => !isOpen(each)), ...kept], total }
  }

  /** Reads the next that are older. */
  async readOn(): Promise<void> {
    const { incidents } = await this.#older(Math.floor(this.incidents.length / perPage) + 1)
    const ids = new Set(this.incidents.map(({ id }) => id))
    const fresh = incidents.filter(({ id }) => !ids.has(id))
    this.#held = { ...this.#held, incidents: [...this.incidents, ...fresh] }
  }
}

const isOpen = ({ resolved_at }: IncidentSummary) => resolved_at === null

function isBefore(a: IncidentSummary, b: IncidentSummary): boolean {
  const between = Date.parse(a.started_at) - Date.parse(b.started_at)
  return between === 0 ? a.id < b.id : between < 0
}
