import type { IncidentSummary, Monitor } from '@watchpost/contract'
import { pause } from '../pause.ts'
import { seenOf } from '../screens/sparkline.ts'
import type { Session } from '../session.ts'
import { allPages } from '../verbs/pages.ts'
import { isPassing } from '../watch/poll.ts'
import { Board, type Checked } from './board.ts'
import { follow } from './follow.ts'

// Uptimes and new names are in no event; and one reading a minute leaves a token its other requests.
const readingMs = 60_000

/** Monitors as they are now, for as long as somebody looks. */
export class Live {
  readonly board: Board
  trouble: string | undefined
  /** When the server was last heard. */
  at = Date.now()
  readonly #session: Session
  readonly #stop = new AbortController()
  #stale = false

  private constructor(session: Session, monitors: Monitor[]) {
    this.#session = session
    this.board = new Board(monitors)
  }

  /** Reads all of them before anything is shown: a wrong address or token is an error, not an empty screen. */
  static async open(session: Session): Promise<Live> {
    return new Live(session, (await allPages<Monitor>(session.client, 'listMonitors')).data)
  }

  /** Resolves when closed; rejects when the server will not have us any more. */
  async run(): Promise<void> {
    const { signal } = this.#stop
    const heard = () => {
      this.at = Date.now()
      this.trouble = undefined
    }
    const listener = {
      opened: () => {
        heard()
        // What changed before the stream was open is in no event.
        this.#stale = true
      },
      told: ({ event, data }: { event: string; data: unknown }) => {
        heard()
        if (event !== 'monitor.checked' || !this.board.checked(data as Checked)) this.#stale = true
      },
      trouble: (error: Error) => {
        this.trouble = error.message
        this.board.version++
      },
    }
    await Promise.all([follow(this.#session, listener, signal), this.#readAgain(signal)])
  }

  close(): void {
    this.#stop.abort()
  }

  /** Pauses what runs, resumes what is paused. */
  async toggle({ id, status }: Monitor): Promise<Monitor> {
    const enabled = String(status) === 'paused'
    const { data } = await this.#session.oneRound().updateMonitor({ params: { id }, body: { enabled } })
    this.board.put(data)
    return data
  }

  /** The latest incident of this monitor that is not over. */
  async incidentOf(monitorId: number): Promise<IncidentSummary | undefined> {
    const { data } = await this.#session.oneRound().listIncidents({ query: { per_page: 100 } })
    return data.find(({ status, monitor_ids }) => status !== 'resolved' && monitor_ids?.includes(monitorId))
  }

  /** Says that somebody is on it. */
  async acknowledge(incidentId: number, message: string): Promise<void> {
    const body = { message, status: 'identified' as const }
    await this.#session.oneRound().addIncidentUpdate({ params: { id: incidentId }, body })
  }

  /** Times of these monitors from before, one after the other, as far as the server allows. */
  async seed(ids: number[]): Promise<void> {
    for (const id of ids) {
      if (this.#stop.signal.aborted) return
      try {
        const { data } = await this.#session.oneRound().listMonitorChecks({ params: { id }, query: { per_page: 40 } })
        this.board.seed(id, data.map(seenOf).toReversed())
      } catch {
        return
      }
    }
  }

  async #readAgain(signal: AbortSignal): Promise<void> {
    let read = Date.now()
    while (!signal.aborted) {
      await pause(1000, signal).catch(() => undefined)
      // Five seconds at least: a busy team tells a lot.
      const due = this.#stale ? read + 5000 : read + readingMs
      if (signal.aborted || Date.now() < due) continue
      this.#stale = false
      read = Date.now()
      try {
        this.board.replace((await allPages<Monitor>(this.#session.oneRound(), 'listMonitors')).data)
      } catch (error) {
        if (signal.aborted) return
        if (!isPassing(error)) throw error
        this.#stale = true
      }
    }
  }
}
